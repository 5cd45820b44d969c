// Incremental = clean for sites with several search shards and common grams: random edits, kills and damaged caches.
// QUARRY_FAULTS=all runs longer; QUARRY_SEED=random runs other edits.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { build } from '../../src/build/build.ts'
import { type QuarryConfig, resolveSettings } from '../../src/config.ts'
import { start } from '../support/command-line.ts'
import { contentsOf } from '../support/contents.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

type Edit =
  | { readonly kind: 'body' | 'title' | 'remove' | 'add' | 'schedule'; readonly post: number }
  | { readonly kind: 'rename'; readonly post: number; readonly to: number }
  | { readonly kind: 'category'; readonly name: string }
  | { readonly kind: 'configure'; readonly pageSize: number }
  | { readonly kind: 'kill'; readonly post: number; readonly milliseconds: number }
  | { readonly kind: 'damage'; readonly pack: number; readonly byte: number }

const isThorough = process.env['QUARRY_FAULTS'] === 'all'
const now = Date.UTC(2026, 5, 1)

const number = fc.nat({ max: 5000 })
const ofPost = fc.record({
  kind: fc.constantFrom<'body' | 'title' | 'remove' | 'add' | 'schedule'>(
    ...(['body', 'title', 'remove', 'add', 'schedule'] as const),
  ),
  post: number,
})
const edit: Arbitrary<Edit> = fc.oneof(
  { arbitrary: ofPost, weight: 6 },
  fc.record({ kind: fc.constant('rename' as const), post: number, to: number }),
  fc.record({ kind: fc.constant('category' as const), name: fc.constantFrom('News', 'Notes') }),
  fc.record({ kind: fc.constant('configure' as const), pageSize: fc.constantFrom(10, 50) }),
  fc.record({ kind: fc.constant('kill' as const), post: number, milliseconds: fc.nat(900) }),
  fc.record({ kind: fc.constant('damage' as const), pack: fc.nat(9), byte: fc.nat() }),
)

it.each([
  [300, isThorough ? 12 : 1],
  [1100, isThorough ? 12 : 1],
])(
  'a site of %i posts is after every edit what a clean build makes of it',
  async (posts, numRuns) => {
    const edits = fc.array(edit, { minLength: isThorough ? 6 : 3, maxLength: isThorough ? 12 : 4 })
    await fc.assert(
      fc.asyncProperty(edits, async (steps) => {
        using site = new LargeSite(posts)
        await site.compare()
        for (const step of steps) {
          await site.apply(step)
          await site.compare()
        }
      }),
      // Each shrinking builds hundreds of posts again.
      { numRuns, endOnFailure: true },
    )
  },
  isThorough ? 3_600_000 : 240_000,
)

/** A site that is built from a cache, and next to it by clean builds. */
class LargeSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'quarry-large-'))
  readonly #posts = join(this.#folder, 'content/acme/posts')
  #pageSize = 20
  #edits = 0

  constructor(posts: number) {
    mkdirSync(this.#posts, { recursive: true })
    writeFileSync(
      join(this.#folder, 'content/acme/workspace.yml'),
      'name: Acme\nreferences: create\n',
    )
    for (let post = 0; post < posts; post++) this.#write(`post-${post}`, post)
  }

  async apply(step: Edit): Promise<void> {
    this.#edits += 1
    if (step.kind === 'configure') this.#pageSize = step.pageSize
    else if (step.kind === 'category') this.#writeCategory(step.name)
    else if (step.kind === 'damage') this.#damage(step.pack, step.byte)
    else if (step.kind === 'rename') this.#rename(this.#nameOf(step.post), `moved-${step.to}`)
    else if (step.kind === 'kill') await this.#kill(step.post, step.milliseconds)
    else this.#change(step.kind, step.post)
  }

  /** Builds from the cache and without one, and compares all bytes. */
  async compare(): Promise<void> {
    rmSync(join(this.#folder, 'clean'), { recursive: true, force: true })
    await build(this.#settings('clean', false), { now })
    await build(this.#settings('cached', join(this.#folder, 'cache')), { now })
    const [cached, clean] = ['cached', 'clean'].map((out) => contentsOf(join(this.#folder, out)))
    expect(cached).toEqual(clean)
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #settings(out: string, cache: string | false) {
    const config: QuarryConfig = {
      precompute: { pageSizes: [this.#pageSize], ids: false, formats: ['html'] },
    }
    const [content, folder] = [join(this.#folder, 'content'), join(this.#folder, out)]
    return resolveSettings({ ...config, content, out: folder, cache, workers: 1 })
  }

  #nameOf(post: number): string {
    const names = readdirSync(this.#posts).sort()
    return (names[post % names.length] ?? expect.unreachable()).replace('.md', '')
  }

  #change(kind: 'body' | 'title' | 'remove' | 'add' | 'schedule', post: number): void {
    if (kind === 'add') {
      this.#write(`new-${this.#edits}`, post)
      return
    }
    const path = join(this.#posts, `${this.#nameOf(post)}.md`)
    const text = readFileSync(path, 'utf8')
    if (kind === 'remove') rmSync(path)
    else if (kind === 'body')
      writeFileSync(path, `${text}\nEdited ${this.#edits}, of the ${post}.\n`)
    else if (kind === 'title') writeFileSync(path, text.replace('title: ', `title: New ${post} `))
    else writeFileSync(path, text.replace(/publishedAt: .*/, 'publishedAt: 2026-07-01'))
  }

  /** About 500 bytes of a few common words and some of its own. */
  #write(name: string, seed: number): void {
    const words = ['the', 'of', 'and', 'then', 'proof', '日本語', `w${seed % 97}`, `x${seed}`]
    const word = (at: number) => words[Math.imul(seed + 7 * at, 0x9e3779b1) >>> 29]
    const published = new Date(Date.UTC(2024, 0, 1 + (seed % 700), seed % 24)).toISOString()
    const head = `title: Post ${seed}\ncategory: news\ntags: [t${seed % 5}]\npublishedAt: ${published}`
    const body = Array.from({ length: 100 }, (_, at) => word(at)).join(seed % 7 === 0 ? ', ' : ' ')
    writeFileSync(join(this.#posts, `${name}.md`), `---\n${head}\n---\n\n${body}\n`)
  }

  #writeCategory(name: string): void {
    const folder = join(this.#folder, 'content/acme/categories')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'news.md'), `---\nname: ${name}\n---\n`)
  }

  #rename(from: string, to: string): void {
    renameSync(join(this.#posts, `${from}.md`), join(this.#posts, `${to}.md`))
  }

  /** Changes a post, and ends the build of it at some moment. */
  async #kill(post: number, milliseconds: number): Promise<void> {
    this.#change('body', post)
    const flags = ['--content', 'content', '--cache', 'cache', '--out', 'cached', '--quiet']
    const running = start(this.#folder, ['build', ...flags, '--now', new Date(now).toISOString()])
    const timer = setTimeout(() => running.stop('SIGKILL'), milliseconds)
    await running.ended
    clearTimeout(timer)
  }

  /** Changes a byte of the cache. */
  #damage(file: number, byte: number): void {
    const folder = join(this.#folder, 'cache')
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
    const path = join(folder, names[file % names.length] ?? expect.unreachable())
    const bytes = readFileSync(path)
    bytes[byte % bytes.length] = (bytes[byte % bytes.length] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }
}
