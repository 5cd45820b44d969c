// Whatever was changed, in whatever order: a build that starts from the last one leaves what a clean build leaves.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { Builder, build } from '../../src/build/build.ts'
import { checkConfig } from '../../src/config/schema.ts'
import { type QuarryConfig, resolveSettings } from '../../src/config.ts'
import { BuildError, type Diagnostic } from '../../src/diagnostics.ts'
import { start } from '../support/command-line.ts'
import { contentsOf } from '../support/contents.ts'
import fc, { type Arbitrary, caseCount, hasAllCases } from '../support/fast-check.ts'
import { TemporarySite } from '../support/temporary-site.ts'

/** One step. Paths are below the content folder. */
type Edit =
  | { readonly write: string; readonly text: string }
  | { readonly change: string; readonly body: string }
  | { readonly remove: string }
  | { readonly rename: string; readonly to: string }
  | { readonly config: QuarryConfig }
  | { readonly now: number }
  /** A byte of the cache is changed. */
  | { readonly damage: number; readonly byte: number }
  /** A build is killed after so many milliseconds. */
  | { readonly kill: number }

const noon = Date.UTC(2026, 5, 1, 12)
const workspace = fc.constantFrom('acme', 'beta')
/** As posts name a term: the spelling that most of them have is its name. */
const termName = fc.constantFrom('one', 'One', 'ONE', 'two', 'Two!', 'three')
const body = fc.constantFrom(
  ...['', 'Text.\n', '# Other\n', 'a\r\nb\r\n', '<div>\n\n[a](#b)\n', 'A\0B', '---\n---\n'],
  ...['# Heading\n\n- one\n- two\n', '![i](i.png) ![j](j.png)\n', '> [i](i.png)\n'],
  '[a](./a.md) [b]\n\n[b]: b.md#x\n',
)
const fields = fc.record(
  {
    title: fc.constantFrom('First', 'Second', '日本語'),
    category: fc.oneof(termName, fc.constant('[one, Two!]')),
    tags: fc.uniqueArray(termName, { maxLength: 2 }).map((names) => `[${names.join(', ')}]`),
    authors: fc.constantFrom(
      ...['one', 'One', '[{ name: One, role: Editor }]', '"[ONE](https://one.example)"'],
    ),
    aliases: fc.constantFrom('old', '[older]'),
    publishedAt: fc.constantFrom('2026-01-01', '2026-01-02', '2026-06-10', '2026-07-01'),
    draft: fc.constantFrom('true', 'false'),
    featured: fc.constantFrom('true', 'false'),
    slug: fc.constantFrom('x', 'y'),
    strange: fc.constant('1'),
    coverImage: fc.constantFrom('i.png', 'https://example.com/a.png'),
    fields: fc.constantFrom('{ rating: 4 }', '{ rating: "5", level: low }', '{ level: high }', ''),
  },
  { requiredKeys: ['category', 'publishedAt'] },
)
const post = fc.tuple(fields, body).map(([fields, text]) => document(fields, text))
const term = fc
  .tuple(fc.constantFrom('Alpha', 'Beta', 'Gamma'), fc.constantFrom('', 'About.\n'))
  .map(([name, text]) => document({ name }, text))
const settings = fc
  .record(
    {
      name: fc.constantFrom('Acme', 'Beta'),
      v1: fc.constantFrom('public', 'private'),
      derived: fc.constantFrom('[excerpt, wordCount]', '[toc, images, readingTime]'),
      fields: fc.constantFrom(
        '{ rating: number }',
        '{ rating: text, level: text }',
        '{ level: { type: select, options: [low, high], default: low }, rating: number }',
        '{ rating: { type: number, required: true } }',
      ),
    },
    { requiredKeys: [] },
  )
  .map((fields) => `references: create\n${lines(fields)}`)
const keys = fc
  .constantFrom('a', 'b')
  .map((digit) => `- id: k\n  name: Web\n  sha256: ${digit.repeat(64)}\n  created: 2026-01-02\n`)
const config: Arbitrary<QuarryConfig> = fc.record(
  {
    precompute: fc.record(
      {
        pageSizes: fc.constantFrom([10], [2], [10, 3]),
        ids: fc.boolean(),
        formats: fc.constantFrom<('html' | 'markdown')[]>(['html'], ['html', 'markdown']),
      },
      { requiredKeys: [] },
    ),
    frontMatter: fc.constantFrom<NonNullable<QuarryConfig['frontMatter']>>(
      ...[{}, { ignore: ['strange'] }, { title: 'description' }],
      { posts: { category: { take: 'first' } }, authors: { bio: 'role' } },
    ),
    baseUrl: fc.constant('https://cdn.example.com'),
    links: fc.constantFrom<NonNullable<QuarryConfig['links']>>(
      ...[{ post: '/{slug}', broken: 'warning' as const }, { broken: 'warning' as const }],
      { post: '/x/{id}' },
    ),
  },
  { requiredKeys: ['links'] },
)

const ending = fc.constantFrom('.md', '.md', '.md', '.mdx', '.markdown', '/index.md')
const inWorkspace = (...parts: Arbitrary<string>[]) =>
  fc.tuple(workspace, ...parts).map(([id, ...rest]) => `${id}/${rest.join('')}`)
const postPath = inWorkspace(
  fc.constant('posts/'),
  fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  ending,
)
const termPath = inWorkspace(
  fc.constantFrom('categories/', 'tags/', 'authors/'),
  fc.constantFrom('one.md', 'two.md', 'three.md'),
)
const imagePath = inWorkspace(fc.constantFrom('posts/i.png', 'posts/j.png'))
const keysPath = inWorkspace(fc.constant('keys.yml'))
const settingsPath = inWorkspace(fc.constant('workspace.yml'))

const edit: Arbitrary<Edit> = fc.oneof(
  { arbitrary: fc.record({ write: postPath, text: post }), weight: 6 },
  { arbitrary: fc.record({ change: postPath, body }), weight: 6 },
  { arbitrary: fc.record({ write: termPath, text: term }), weight: 2 },
  { arbitrary: fc.record({ write: imagePath, text: fc.constantFrom('one', 'two') }), weight: 2 },
  fc.record({ write: settingsPath, text: settings }),
  fc.record({ write: keysPath, text: keys }),
  fc.record({ remove: fc.oneof(postPath, termPath, imagePath, keysPath, fc.constant('beta')) }),
  fc.record({ rename: postPath, to: postPath }),
  fc.record({ config }),
  fc.record({ now: fc.constantFrom(noon, Date.UTC(2026, 5, 11), Date.UTC(2026, 6, 2)) }),
  fc.record({ damage: fc.nat(), byte: fc.nat() }),
  ...(hasAllCases ? [fc.record({ kill: fc.nat(900) })] : []),
)

/** Enough to begin with, so that the first edits have something to change. */
function beginning(posts: number): readonly Edit[] {
  const written = Array.from({ length: posts }, (_, index): Edit => {
    const name = 'abcd'[index] ?? `post-${index}`
    const publishedAt = new Date(Date.UTC(2026, 0, 1) - index * 3_600_000).toISOString()
    const fields = { title: name, category: 'one', tags: '[two]', publishedAt }
    const text = `Text ${name}. ${posts > 4 ? `the of and then w${index} `.repeat(150) : ''}\n`
    return { write: `acme/posts/${name}.md`, text: document(fields, text) }
  })
  return [{ write: 'acme/workspace.yml', text: 'name: Acme\nreferences: create\n' }, ...written]
}

// Six hundred posts are many parts of a snapshot, of which most edits leave most alone.
it.each(hasAllCases ? [4, 300, 1100] : [4])(
  'leaves what a clean build leaves, byte for byte, after every edit of %i posts',
  async (posts) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 8 }), async (edits) => {
        await using bench = new Bench()
        for (const step of [...beginning(posts), ...edits]) await bench.apply(step)
        // All at once first, then one after the other from there.
        await bench.compare()
        for (const step of edits.toReversed()) {
          await bench.apply(step)
          await bench.compare()
        }
      }),
      { numRuns: posts > 4 ? Math.ceil(900 / posts) : caseCount(12, 3), endOnFailure: posts > 4 },
    )
  },
)

/** One content, built in three ways: clean, from a cache on the disk, and with tools that go on. */
class Bench {
  readonly #site = new TemporarySite()
  #builder: Builder | undefined
  #config: QuarryConfig = { links: { post: '/{slug}', broken: 'warning' } }
  #now = noon

  async apply(step: Edit): Promise<void> {
    const at = (path: string) => join(this.#site.content, path)
    if ('write' in step) this.#site.write(`content/${step.write}`, step.text)
    else if ('change' in step) changeBody(at(step.change), step.body)
    else if ('remove' in step) rmSync(at(step.remove), { recursive: true, force: true })
    else if ('rename' in step) rename(at(step.rename), at(step.to))
    else if ('now' in step) this.#now = step.now
    else if ('damage' in step) damage(join(this.#site.folder, 'cache'), step.damage, step.byte)
    else if ('kill' in step) await this.#kill(step.kill)
    else {
      this.#config = step.config
      await this.#builder?.close()
      this.#builder = undefined
    }
  }

  async compare(): Promise<void> {
    for (const folder of ['clean', 'clean-cache'])
      rmSync(join(this.#site.folder, folder), { recursive: true, force: true })
    const options = { now: this.#now, isEmptyAllowed: true }
    const clean = await this.#outcome('clean', () => build(this.#settings('clean'), options))
    const cached = () => build(this.#settings('cached', 'cache'), options)
    expect(await this.#outcome('cached', cached)).toEqual(clean)
    this.#builder ??= new Builder(this.#settings('loaded'), { isEmptyAllowed: true })
    const builder = this.#builder
    const loaded = async () => (await builder.build(undefined, this.#now)).result
    expect(await this.#outcome('loaded', loaded)).toEqual(clean)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#builder?.close()
    rmSync(this.#site.folder, { recursive: true, force: true })
  }

  #settings(out: string, cacheName = `${out}-cache`) {
    const at = (name: string) => join(this.#site.folder, name)
    const place = { content: this.#site.content, out: at(out), cache: at(cacheName) }
    return resolveSettings({ ...checkConfig(this.#config, 'config'), ...place, workers: 1 })
  }

  async #kill(milliseconds: number): Promise<void> {
    const own = { ...this.#config, content: 'content', out: 'cached', cache: 'cache', workers: 1 }
    writeFileSync(join(this.#site.folder, 'quarry.config.json'), JSON.stringify(own))
    const words = ['build', '--quiet', '--now', new Date(this.#now).toISOString()]
    const running = start(this.#site.folder, words)
    const timer = setTimeout(() => running.stop('SIGKILL'), milliseconds)
    await running.ended
    clearTimeout(timer)
  }

  /** Every problem, and every file unless there was an error. */
  async #outcome(
    out: string,
    run: () => Promise<{ readonly diagnostics: readonly Diagnostic[] }>,
  ): Promise<unknown> {
    try {
      const { diagnostics } = await run()
      return { diagnostics, files: contentsOf(join(this.#site.folder, out)) }
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      return { diagnostics: error.diagnostics, files: null }
    }
  }
}

function changeBody(file: string, body: string): void {
  if (!existsSync(file)) return
  const [head] = /^---\n.*?\n---\n/s.exec(readFileSync(file, 'utf8')) ?? ['']
  writeFileSync(file, `${head}${body}`)
}

function rename(from: string, to: string): void {
  if (!existsSync(from) || to.startsWith(`${from}/`)) return
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

function damage(folder: string, file: number, byte: number): void {
  if (!existsSync(folder)) return
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile())
  const path = files[file % files.length] ?? expect.unreachable()
  const bytes = readFileSync(path)
  bytes[byte % bytes.length] = (bytes[byte % bytes.length] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function document(fields: object, body: string): string {
  return `---\n${lines(fields)}---\n${body}`
}

function lines(fields: object): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')
}
