// The types between the engine that imports a site of files and the generators that it knows.
import type { ImportContext } from '../site.ts'
import type { Values } from './front.ts'
import type { SourceTree } from './source-tree.ts'

/** A file that is a post, or may be one. */
export interface PostFile {
  /** Path below the source. */
  readonly path: string
  /** True for a file in a folder of drafts. */
  readonly isDraft?: boolean
  /** Categories that the folder gives. */
  readonly categories?: readonly string[]
  /** Front matter that the configuration gives. */
  readonly defaults?: Values
}

/** A post as its front matter shows it. */
export interface PostHead {
  readonly file: PostFile
  readonly values: Values
  /** As the source has it, without a date. */
  readonly slug: string
  readonly title: string
  /** ISO 8601. */
  readonly date: string
}

/** A body on its way through the steps of a generator. */
export interface BodyContext {
  readonly head: PostHead
  /** Line of the file on which the body begins. */
  readonly bodyLine: number
  readonly keepUnknown: boolean
  /** Reports a construct that has no translation. @param place `line:column` of the file */
  unknown(message: string, place: string): void
  /** Reports what was translated: `Liquid highlight → fenced code`. */
  changed(what: string): void
  /** The address of a post by the path of its file, below the source. */
  addressOf(path: string): string | undefined
}

/** A site of files, as its generator lays it out. */
export interface StaticSite {
  readonly name?: string | undefined
  /** `https://example.com`, without a slash at its end. */
  readonly url?: string | undefined
  /** Path below which the site is served: `''` or `/blog`. */
  readonly base: string
  readonly posts: readonly PostFile[]
  /** Folders whose files are served from the root of the site; `''` is the source itself. */
  readonly roots: readonly string[]
  /** False for a file that the site publishes under no address. Default: true. */
  isPage?(head: PostHead): boolean
  /** The slug of a post where its name in the site is not that of its file; undefined for that of its head. */
  slug?(head: PostHead): string | undefined
  /** The address of a post in the site, a path with `/` in front; undefined when it is not known. */
  address(head: PostHead): string | undefined
  /** The address of every post, for `links.post`. */
  readonly postLink: string
  /** Keys of front matter that mean something to the generator alone. */
  readonly ownKeys: readonly string[]
  /** True when a text of several tags is split at white space, as Jekyll does. */
  readonly splitsAtBlanks?: boolean
  /** Translates markup of the generator to Markdown. */
  translate(body: string, context: BodyContext): string
  /** Records of authors and tags of the site's own data files. */
  define?(defineTerm: DefineTerm): void
}

/** Adds an author or a tag of a data file. */
export type DefineTerm = (
  kind: 'authors' | 'tags' | 'categories',
  key: string,
  values: Values,
  from: string,
) => void

/** Finds out how a site is laid out. @throws UseError when the source is no such site */
export type SiteGenerator = (tree: SourceTree, context: ImportContext) => StaticSite
