// Whatever was changed, in whatever order: a build that starts from the last one leaves what a clean build leaves.
// Knows nothing of how either is made.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { Builder, build } from '../../src/build/build.ts'
import { type QuarryConfig, resolveSettings } from '../../src/config.ts'
import { BuildError, type Diagnostic } from '../../src/diagnostics.ts'
import { caseCount } from '../support/cases.ts'
import { contentsOf } from '../support/contents.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

/** One step: files below the content folder that are written or removed, a configuration, or a moment. */
type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'body'; readonly path: string; readonly body: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'configure'; readonly config: QuarryConfig }
  | { readonly kind: 'wait'; readonly now: number }

const noon = Date.UTC(2026, 5, 1, 12)
const workspace = fc.constantFrom('acme', 'beta')
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const slug = fc.constantFrom('one', 'two', 'three')
/** As posts name a term: the spelling that most of them have is its name. */
const termName = fc.constantFrom('one', 'One', 'ONE', 'two', 'Two!', 'three')

const body = fc.constantFrom(
  ...[
    '',
    'Text.\n',
    '# Other\n',
    'a\r\nb\r\n',
    '<div>\n\n[a](#b)\n',
    '# Heading\n\n- one\n- two\n',
    'A\0B',
    '---\n---\n',
  ],
  ...['![i](i.png) ![j](j.png)\n', '[a](./a.md) [b]\n\n[b]: b.md#x\n', '> [i](i.png)\n'],
)
const post = fc
  .record(
    {
      title: fc.constantFrom('First', 'Second', '日本語'),
      category: fc.oneof(termName, fc.constant('[one, Two!]')),
      tags: fc.uniqueArray(termName, { maxLength: 2 }).map((names) => `[${names.join(', ')}]`),
      authors: fc.oneof(
        termName,
        fc.constantFrom('[{ name: One, role: Editor }]', '"[ONE](https://one.example)"'),
      ),
      aliases: fc.constantFrom('old', '[older]'),
      publishedAt: fc.constantFrom('2026-01-01', '2026-01-02', '2026-06-10', '2026-07-01'),
      draft: fc.constantFrom('true', 'false'),
      featured: fc.constantFrom('true', 'false'),
      slug: fc.constantFrom('x', 'y'),
      strange: fc.constant('1'),
      coverImage: fc.constantFrom('i.png', 'https://example.com/a.png'),
      fields: fc.constantFrom(
        '{ rating: 4 }',
        '{ rating: "5", level: low }',
        '{ level: high }',
        '',
      ),
    },
    { requiredKeys: ['category', 'publishedAt'] },
  )
  .chain((fields) => body.map((text) => document(fields, text)))
const term = fc
  .record({ name: fc.constantFrom('Alpha', 'Beta', 'Gamma') })
  .chain((fields) => fc.constantFrom('', 'About.\n').map((body) => document(fields, body)))
const settings = fc
  .record(
    {
      name: fc.constantFrom('Acme', 'Beta'),
      v1: fc.constantFrom('public', 'private'),
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
const image = fc.constantFrom('one', 'two')
const imagePath = fc
  .tuple(workspace, fc.constantFrom('i', 'j'))
  .map(([id, file]) => `${id}/posts/${file}.png`)
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
      {},
      { ignore: ['strange'] },
      { title: 'description' },
      { posts: { category: { take: 'first' } }, authors: { bio: 'role' } },
    ),
    baseUrl: fc.constant('https://cdn.example.com'),
    links: fc.constantFrom<NonNullable<QuarryConfig['links']>>(
      { post: '/{slug}', broken: 'warning' },
      { broken: 'warning' },
      { post: '/x/{id}' },
    ),
  },
  { requiredKeys: ['links'] },
)

const ending = fc.constantFrom('.md', '.md', '.md', '.mdx', '.markdown', '/index.md')
const postPath = fc
  .tuple(workspace, name, ending)
  .map(([id, file, end]) => `${id}/posts/${file}${end}`)
const termPath = fc
  .tuple(workspace, fc.constantFrom('categories', 'tags', 'authors'), slug)
  .map(([id, kind, file]) => `${id}/${kind}/${file}.md`)

const write = (path: Arbitrary<string>, text: Arbitrary<string>): Arbitrary<Edit> =>
  fc.record({ kind: fc.constant('write' as const), path, text })
const edit: Arbitrary<Edit> = fc.oneof(
  { arbitrary: write(postPath, post), weight: 6 },
  { arbitrary: fc.record({ kind: fc.constant('body' as const), path: postPath, body }), weight: 6 },
  { arbitrary: write(termPath, term), weight: 2 },
  { arbitrary: write(imagePath, image), weight: 2 },
  write(
    workspace.map((id) => `${id}/workspace.yml`),
    settings,
  ),
  write(
    workspace.map((id) => `${id}/keys.yml`),
    keys,
  ),
  fc.record({
    kind: fc.constant('remove' as const),
    path: fc.oneof(
      postPath,
      termPath,
      imagePath,
      workspace.map((id) => `${id}/keys.yml`),
      fc.constant('beta'),
    ),
  }),
  fc.record({ kind: fc.constant('rename' as const), from: postPath, to: postPath }),
  fc.record({ kind: fc.constant('configure' as const), config }),
  fc.record({
    kind: fc.constant('wait' as const),
    now: fc.constantFrom(noon, Date.UTC(2026, 5, 11), Date.UTC(2026, 6, 2)),
  }),
)

/** Enough to begin with, so that the first edits have something to change. */
const beginning: readonly Edit[] = [
  { kind: 'write', path: 'acme/workspace.yml', text: 'name: Acme\nreferences: create\n' },
  ...['a', 'b', 'c', 'd'].map(
    (file, index): Edit => ({
      kind: 'write',
      path: `acme/posts/${file}.md`,
      text: document(
        { title: file, category: 'one', tags: '[two]', publishedAt: `2026-01-0${index + 1}` },
        `Text ${file}.\n`,
      ),
    }),
  ),
]

it('leaves what a clean build leaves, byte for byte, after every edit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 8 }), async (edits) => {
      await using bench = new Bench()
      for (const step of [...beginning, ...edits]) bench.apply(step)
      // All at once first, then one after the other from there.
      await bench.compare()
      for (const step of edits.toReversed()) {
        bench.apply(step)
        await bench.compare()
      }
    }),
    { numRuns: caseCount(12, 3) },
  )
})

/** One content, built in three ways: clean, from a cache on the disk, and with tools that go on. */
class Bench {
  readonly #folder = mkdtempSync(join(tmpdir(), 'quarry-incremental-'))
  #builder: Builder | undefined
  #config: QuarryConfig = { links: { post: '/{slug}', broken: 'warning' } }
  #now = noon

  apply(step: Edit): void {
    if (step.kind === 'configure') this.#configure(step.config)
    else if (step.kind === 'wait') this.#now = step.now
    else if (step.kind === 'remove')
      rmSync(this.#contentPath(step.path), { recursive: true, force: true })
    else if (step.kind === 'rename') this.#rename(step.from, step.to)
    else if (step.kind === 'body') this.#changeBody(this.#contentPath(step.path), step.body)
    else {
      const file = this.#contentPath(step.path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, step.text)
    }
  }

  async compare(): Promise<void> {
    rmSync(join(this.#folder, 'clean'), { recursive: true, force: true })
    const clean = await this.#outcome('clean', () => this.#build('clean', false))
    const cached = await this.#outcome('cached', () =>
      this.#build('cached', join(this.#folder, 'cache')),
    )
    const loaded = await this.#outcome('loaded', () => this.#load())
    expect(cached).toEqual(clean)
    expect(loaded).toEqual(clean)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#builder?.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #contentPath(path: string): string {
    return join(this.#folder, 'content', path)
  }

  #configure(next: QuarryConfig): void {
    this.#config = next
    void this.#builder?.close()
    this.#builder = undefined
  }

  #rename(from: string, to: string): void {
    try {
      mkdirSync(dirname(this.#contentPath(to)), { recursive: true })
      renameSync(this.#contentPath(from), this.#contentPath(to))
    } catch {
      // There is nothing to rename.
    }
  }

  #changeBody(file: string, body: string): void {
    if (!existsSync(file)) return
    const [head] = /^---\n.*?\n---\n/s.exec(readFileSync(file, 'utf8')) ?? ['']
    writeFileSync(file, `${head}${body}`)
  }

  #settings(out: string, cache: string | false) {
    const [content, folder] = [join(this.#folder, 'content'), join(this.#folder, out)]
    return resolveSettings({ ...this.#config, content, out: folder, cache, workers: 1 })
  }

  async #build(out: string, cache: string | false): Promise<readonly Diagnostic[]> {
    return (await build(this.#settings(out, cache), { now: this.#now, isEmptyAllowed: true }))
      .diagnostics
  }

  async #load(): Promise<readonly Diagnostic[]> {
    const settings = this.#settings('loaded', false)
    this.#builder ??= new Builder(settings, { isEmptyAllowed: true })
    return (await this.#builder.build(undefined, this.#now)).result.diagnostics
  }

  /** Every problem, and every file unless there was an error. */
  async #outcome(out: string, run: () => Promise<readonly Diagnostic[]>): Promise<unknown> {
    try {
      const diagnostics = await run()
      return { diagnostics, files: contentsOf(join(this.#folder, out)) }
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      return { diagnostics: error.diagnostics, files: null }
    }
  }
}

function document(fields: object, body: string): string {
  return `---\n${lines(fields)}---\n${body}`
}

function lines(fields: object): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')
}
