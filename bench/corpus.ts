// A seeded corpus: posts with a Zipf-like vocabulary and Zipf-like sizes, equal on every machine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The parameters of a corpus. */
export interface CorpusOptions {
  readonly posts: number
  /** Mean size of a body in bytes; most are smaller, a few many times larger. */
  readonly meanBytes: number
  readonly seed?: number
}

/** A post of a corpus. */
export interface CorpusPost {
  /** Path relative to the folder of posts, without `.md`. */
  readonly name: string
  readonly frontMatter: string
  readonly body: string
}

/** Generates posts. Memory does not grow with their number. */
export function* corpusPosts({ posts, meanBytes, seed = 1 }: CorpusOptions): Generator<CorpusPost> {
  const random = mulberry32(seed)
  const words = vocabulary(random, 30_000)
  const word = () => words[zipf(random, words.length)] ?? 'stone'
  for (let number = 0; number < posts; number++) {
    const title = sentence(word, 3 + Math.floor(random() * 6))
    const published = new Date(Date.UTC(2015, 0, 1) + Math.floor((number / posts) * 3.6e11))
    const tags = Array.from({ length: 1 + (number % 3) }, () => `tag-${zipf(random, 40)}`)
    const frontMatter = [
      `title: "${title}"`,
      `description: ${sentence(word, 12)}`,
      `category: category-${zipf(random, 8)}`,
      `tags: [${[...new Set(tags)].join(', ')}]`,
      `authors: [author-${zipf(random, 12)}]`,
      `publishedAt: ${published.toISOString()}`,
      ...(number % 17 === 0 ? ['featured: true'] : []),
    ].join('\n')
    yield { name: `post-${number}`, frontMatter, body: body(random, word, size(random, meanBytes)) }
  }
}

/** Writes a corpus as the workspace `bench` of a content folder; missing terms are created. */
export function writeCorpus(folder: string, options: CorpusOptions): void {
  writeWorkspace(folder, corpusPosts(options))
}

/** Writes posts as a workspace of a content folder; broken links are not reported. */
export function writeWorkspace(
  folder: string,
  posts: Iterable<CorpusPost>,
  workspace = 'bench',
): void {
  mkdirSync(join(folder, workspace), { recursive: true })
  const settings = 'name: Bench\nreferences: create\nlinks:\n  broken: ignore\n'
  writeFileSync(join(folder, workspace, 'workspace.yml'), settings)
  writePosts(join(folder, workspace, 'posts'), posts)
}

/** Writes one file per post. */
export function writePosts(folder: string, posts: Iterable<CorpusPost>): void {
  for (const { name, frontMatter, body } of posts) {
    const path = join(folder, `${name}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `---\n${frontMatter}\n---\n\n${body}`)
  }
}

/** Returns a size from a Pareto distribution with mean `meanBytes`, cut off at 16 times the mean. */
function size(random: () => number, meanBytes: number): number {
  const least = meanBytes * 0.42
  return Math.min(meanBytes * 16, least / (1 - random()) ** (1 / 1.6))
}

function body(random: () => number, word: () => string, bytes: number): string {
  const blocks: string[] = []
  let length = 0
  while (length < bytes) {
    const block = makeBlock(random, word)
    blocks.push(block)
    length += block.length + 2
  }
  return `${blocks.join('\n\n')}\n`
}

function makeBlock(random: () => number, word: () => string): string {
  const dice = random()
  if (dice < 0.08) return `## ${sentence(word, 4)}`
  if (dice < 0.14)
    return `\`\`\`ts\nconst ${word()} = ${word()}('${word()}', ${Math.floor(random() * 100)})\n\`\`\``
  if (dice < 0.22) return Array.from({ length: 4 }, () => `- ${sentence(word, 8)}`).join('\n')
  if (dice < 0.26) return `> ${sentence(word, 20)}`
  if (dice < 0.29)
    return `| ${word()} | ${word()} |\n| --- | --- |\n| ${word()} | ${word()} |\n| ${word()} | ${word()} |`
  if (dice < 0.31)
    return '日本語の文章は単語の間に空白を置かない。検索はそれでも見つけなければならない。'
  return paragraph(random, word)
}

function paragraph(random: () => number, word: () => string): string {
  const sentences = Array.from({ length: 2 + Math.floor(random() * 4) }, () => {
    const text = sentence(word, 8 + Math.floor(random() * 12))
    const dice = random()
    if (dice < 0.1) return `${text} [${word()} ${word()}](https://example.com/${word()}).`
    if (dice < 0.2) return `${text} **${word()}** and *${word()}*.`
    return dice < 0.28 ? `${text} \`${word()}()\`.` : `${text}.`
  })
  return sentences.join(' ')
}

function sentence(word: () => string, length: number): string {
  const text = Array.from({ length }, word).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function vocabulary(random: () => number, count: number): readonly string[] {
  const syllables =
    'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan thor men ling ster é'.split(
      ' ',
    )
  return Array.from({ length: count }, (_, rank) => {
    const length = 1 + Math.min(4, Math.floor(Math.log2(rank + 2) / 3)) + Math.floor(random() * 2)
    return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join('')
  })
}

/** Returns a rank from 0. Low ranks are by far the most likely. */
function zipf(random: () => number, count: number): number {
  return Math.min(count - 1, Math.floor(count ** random()) - 1)
}

/** Returns a small generator of random numbers from 0 to 1 (Tommy Ettinger, public domain). */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
