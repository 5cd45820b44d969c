// Sites and requests of the scale bench: a corpus in one workspace or in several.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CorpusOptions, corpusPosts, writeWorkspace } from './corpus.ts'

/** A site in a folder. */
export interface ScaleSite {
  readonly folder: string
  readonly posts: number
  readonly workspaces: number
  /** Mean size of a body in bytes. */
  readonly meanBytes: number
  /** Value of the setting `markdown.parser`. */
  readonly parser: string
}

/** Requests of one kind. */
export interface RequestClass {
  readonly name: string
  readonly targets: readonly string[]
}

/** Writes the content, unless it exists. */
export function writeSite(site: ScaleSite): void {
  if (existsSync(join(site.folder, 'content'))) return
  for (let at = 0; at < site.workspaces; at++) {
    writeWorkspace(join(site.folder, 'content'), corpusPosts(corpusOf(site, at)), nameOf(at))
  }
  const settings = { precompute: { versions: [] }, markdown: { parser: site.parser } }
  writeFileSync(join(site.folder, 'quarry.config.json'), JSON.stringify(settings))
}

/** Changes the body of a post in the middle of the first workspace. */
export function editPost({ folder, posts, workspaces }: ScaleSite, round: number): void {
  const name = `post-${Math.floor(posts / workspaces / 2) + round}.md`
  const path = join(folder, 'content', nameOf(0), 'posts', name)
  writeFileSync(path, `${readFileSync(path, 'utf8')}\nEdited ${round}.\n`)
}

/** The number of files in a folder and their bytes. */
export function weigh(folder: string): { readonly files: number; readonly bytes: number } {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const stats = names.map((name) => statSync(join(folder, name))).filter((stat) => stat.isFile())
  return { files: stats.length, bytes: stats.reduce((sum, { size }) => sum + size, 0) }
}

/** `each` requests of each kind for the last workspace, with texts from posts spread over it. */
export function requestClasses(site: ScaleSite, each: number): readonly RequestClass[] {
  const at = site.workspaces - 1
  const list = `/v1/${nameOf(at)}/posts`
  const { posts } = corpusOf(site, at)
  const pages = Math.floor(posts / 10)
  const samples = samplesOf(site, at, each)
  const search = (text: string) => `${list}?excludeContent=true&query=${encodeURIComponent(text)}`
  const make = (name: string, target: (sample: Sample, number: number) => string) => {
    return { name, targets: samples.map(target) }
  }
  return [
    make('first pages', (_, number) => `${list}?page=${number + 2}`),
    make('deep pages', (_, number) => `${list}?page=${pages - number * 7}`),
    make('post', ({ name }) => `${list}/${name}`),
    make('tag', (_, number) => `${list}?tags=tag-${number}&page=${1 + (number % 2)}`),
    make('tag, category', (_, number) => `${list}?tags=tag-${number}&categories=category-1`),
    make('word', ({ words }) => search(words[0] ?? '')),
    make('part of a word', ({ words, number }) => search(partOf(words[1] ?? '', number))),
    make('phrase', ({ words }) => search(words.slice(0, 2).join(' '))),
  ]
}

interface Sample {
  readonly number: number
  readonly name: string
  /** Adjacent words of a sentence. */
  readonly words: readonly string[]
}

function samplesOf(site: ScaleSite, at: number, count: number): readonly Sample[] {
  const options = corpusOf(site, at)
  const step = Math.floor(options.posts / count)
  const samples: Sample[] = []
  let number = 0
  for (const { name, body } of corpusPosts(options)) {
    if (number++ % step !== 0 || samples.length === count) continue
    const sentence = /(?:[a-zé]{3,} ){4}/u.exec(body)?.[0] ?? 'stone sta qui men '
    samples.push({ number: samples.length, name, words: sentence.trim().split(' ') })
  }
  return samples
}

/** Three letters of a word. */
function partOf(word: string, number: number): string {
  const start = number % Math.max(1, word.length - 2)
  return word.slice(start, start + 3)
}

function corpusOf({ posts, workspaces, meanBytes }: ScaleSite, at: number): CorpusOptions {
  return { posts: Math.floor(posts / workspaces), meanBytes, seed: at + 1 }
}

function nameOf(workspace: number): string {
  return `bench-${workspace}`
}
