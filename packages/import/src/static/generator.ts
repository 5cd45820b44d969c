// The interface between the import engine for sites of files and the supported generators.
import type { ImportContext } from '../site.ts'
import type { Values } from './front.ts'
import type { SourceTree } from './source-tree.ts'

/** A file that is a post, or may be one. */
export interface PostFile {
  /** Path relative to the source. */
  readonly path: string
  /** The reason why the site does not publish the file, apart from its own front matter: `a folder of drafts`. */
  readonly withheld?: string | undefined
  /** Categories implied by the folder. */
  readonly categories?: readonly string[]
  /** Front matter from the configuration. */
  readonly defaults?: Values
}

/** The data of a post from its front matter. */
export interface PostHead {
  readonly file: PostFile
  /** Front matter; `params`, `extra` and `taxonomies` are opened. */
  readonly values: Values
  /** The same with the types that the values have in the file. */
  readonly typed: Values
  /** Keys of opened maps that the front matter has with another value: `params.title`. */
  readonly repeated: readonly string[]
  /** As in the source, without a date. */
  readonly slug: string
  readonly title: string
  /** ISO 8601. */
  readonly date: string
  /** The date that URLs of the site have: `2020-07-01`. */
  readonly day: string
  /** Categories in URLs of Jekyll. */
  readonly folderNames?: readonly string[]
  /** The key and the instant of the end of publication, in the future. */
  readonly expiry?: { readonly key: string; readonly at: string } | undefined
  /** The reason why the site does not publish the post; undefined for a public post. */
  readonly withheld?: string | undefined
  /** Changes of date and status, for the report. */
  readonly notes: readonly string[]
}

/** The context of a body during translation. */
export interface BodyContext {
  readonly head: PostHead
  /** The first line of the body in the file. */
  readonly bodyLine: number
  /** Reports a construct without a translation. @param place `line:column` of the file */
  unknown(message: string, place: string): void
  /** Reports a translation: `Liquid highlight → fenced code`. */
  changed(what: string): void
  /** The URL of a post, by the path of its file relative to the source. */
  addressOf(path: string): string | undefined
}

/** A translation of bodies. A step that changes a text without a report is reported by its name. */
export interface Step {
  readonly name: string
  run(text: string, context: BodyContext): string
}

/** How a site reads the dates of its posts. */
export interface SiteDates {
  /** IANA time zone of dates without an offset. */
  readonly zone?: string | undefined
  /** True for Jekyll: YAML timestamps, which have seconds, are in UTC in spite of the zone. */
  readonly hasUtcTimestamps?: boolean
  /** True for Hugo: URLs have the day as written, in its own offset. Otherwise they have that of the zone. */
  readonly hasWrittenDays?: boolean
  /** Further keys, which the configuration adds, of the date, the start and the end of publication. */
  readonly keys?: { readonly [kind in 'date' | 'start' | 'expiry']?: readonly string[] }
}

/** A site of files, as described by its generator. */
export interface StaticSite {
  readonly name?: string | undefined
  /** `https://example.com`, without a trailing slash. */
  readonly url?: string | undefined
  /** The path at which the site is served: `''` or `/blog`. */
  readonly base: string
  readonly posts: readonly PostFile[]
  /** Folders whose files are served from the root of the site; `''` is the source itself. */
  readonly roots: readonly string[]
  /** How the site reads dates. @default in UTC */
  readonly dates?: SiteDates | undefined
  /** The slug of a post, if the site's name for it differs from the file's; undefined to use that of its head. */
  slug?(head: PostHead): string | undefined
  /** The URL path of a post in the site, beginning with `/`; undefined when unknown. */
  address(head: PostHead): string | undefined
  /** Front-matter keys that only the generator uses, separated by blanks. */
  readonly ownKeys: string
  /** True when a text with several tags is split at white space, as in Jekyll. */
  readonly splitsAtBlanks?: boolean
  /** Translations of the generator's markup, in order. */
  readonly steps: readonly Step[]
  /** Adds records of authors and tags from the site's data files. */
  define?(defineTerm: DefineTerm): void
}

/** Adds an author, a tag or a category from a data file. */
export type DefineTerm = (
  kind: 'authors' | 'tags' | 'categories',
  key: string,
  values: Values,
  from: string,
) => void

/** Detects how a site is organized. @throws UseError when the source is no such site */
export type SiteGenerator = (tree: SourceTree, context: ImportContext) => StaticSite
