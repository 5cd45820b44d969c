// The interface between importers and the writer: documents of a foreign site, its settings, and the context.
import type { FieldType, ResourceKind } from 'quarry/authoring'
import type { Ledger, Section } from './ledger.ts'
import type { Values } from './static/front.ts'
import type { SourceTree } from './static/source-tree.ts'
import type { Slugs } from './terms.ts'

/** A value of front matter; undefined and null are omitted from the file. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue }

/** A post, an author, a category or a tag, with quarry's names and types. */
export interface ImportedDocument {
  readonly kind: ResourceKind
  /** The final slug, from `Slugs.claim`. The file is `{kind}/{slug}.md`. */
  readonly slug: string
  /** Front matter without `slug`, in file order. References are slugs. */
  readonly fields: { readonly [key: string]: FieldValue }
  /** Markdown. Links to other posts are `./{slug}.md`; images are `../{path}` with a path of `images`. */
  readonly body: string
  readonly images?: readonly ImportedImage[]
  readonly redirects?: readonly string[]
  /** Location in the source, for the report: a file, or a file and an entry number. */
  readonly from: string
}

export interface ImportedImage {
  /** Path relative to the workspace, with `/`: `media/2024/lock.png`. Equal paths mean equal images. */
  readonly path: string
  /** Reads the bytes, when the image is written; null when they are unreadable, which the importer reports. */
  readonly bytes: () => Uint8Array | null | Promise<Uint8Array | null>
}

/** Settings that an import writes to `workspace.yml`. */
export interface ImportedSettings {
  readonly name?: string | undefined
  readonly locale?: string | undefined
  readonly translationOf?: string | undefined
  readonly defaultCategory?: string | undefined
  readonly postLink?: string | undefined
  readonly hasBrokenLinks?: boolean
  readonly fields?: ReadonlyMap<string, FieldType>
}

export interface ImportedSite {
  /** Every document once; a document is not retained after it is written. */
  readonly documents: AsyncIterable<ImportedDocument> | Iterable<ImportedDocument>
  settings(): ImportedSettings
}

/** The workspaces of one site, with one for each language. */
export interface LanguageGroup {
  readonly workspace: string
  /** Keys of translations, by the paths of their files without the language. */
  readonly keys: Map<string, string>
  readonly takenKeys: Set<string>
}

export interface ImportContext {
  readonly source: string
  readonly posts?: string | undefined
  readonly language?: string | undefined
  readonly group?: LanguageGroup | undefined
  /** A folder with the images of an export, absolute. */
  readonly media?: string | undefined
  /** The origin of the site, for exports whose URLs omit it: `https://example.com`. */
  readonly site?: string | undefined
  /** Templates for filters (Liquid) and shortcodes (Hugo) that the importer cannot run, by name. */
  readonly templates: ReadonlyMap<string, string>
  readonly keepUnknown: boolean
  readonly isUndated?: boolean
  /** True to publish posts whatever their front matter says, except those with a password. */
  readonly ignoresDrafts?: boolean
  readonly keys?: { readonly [kind in 'date' | 'category' | 'status']?: string | undefined }
  readonly report: Ledger
  readonly slugs: Slugs
}

/** Reads a foreign site. @throws UseError when the source is not such a site */
export type Importer = (context: ImportContext) => ImportedSite | Promise<ImportedSite>

/** A file that is a post, or may be one. */
export interface PostFile {
  readonly path: string
  /** The reason why the site does not publish the file, apart from its own front matter: `a folder of drafts`. */
  readonly withheld?: string | undefined
  /** True for a file that the site shows as a post even without a date. */
  readonly isPost?: boolean
  readonly categories?: readonly string[]
  readonly defaults?: Values
  /** Joins the defaults with front matter. @default front matter replaces them */
  readonly merge?: (defaults: Values, values: Values) => Values
  /** The path that translations have in common. @default the path without a language */
  readonly place?: string
}

/** The data of a post from its front matter. */
export interface PostHead {
  readonly file: PostFile
  /** Front matter; `params`, `extra` and `taxonomies` are opened. */
  readonly values: Values
  /** The same values with the types that they have in the file. */
  readonly typed: Values
  readonly slug: string
  readonly title: string
  readonly date: string
  /** The date that URLs of the site have: `2020-07-01`. */
  readonly day: string
  /** The key and the instant of the end of publication. */
  readonly expiry?: { readonly key: string; readonly at: string } | undefined
  /** The reason why the site does not publish the post; undefined for a public post. */
  readonly withheld?: string | undefined
  readonly notes: readonly (readonly [section: Section, text: string])[]
}

/** The context of a body during translation. */
export interface BodyContext {
  readonly head: PostHead
  /** Reports a construct without a translation. @param at its offset in a text of the body */
  unknown(message: string, text: string, at: number): void
  /** Reports a translation: `Liquid highlight → fenced code`. */
  changed(what: string): void
  /** Reports markup that stays as text. */
  stays(what: string): void
  addressOf(path: string): string | undefined
}

/** A translation of bodies. A step that changes a text without a report is reported by its name: `Liquid → its output`. */
export interface Step {
  readonly name: string
  run(text: string, context: BodyContext): string
}

/** How a site reads the dates of its posts. */
export interface SiteDates {
  readonly zone?: string | undefined
  /** True for Jekyll: YAML timestamps, which have seconds, are in UTC in spite of the zone. */
  readonly hasUtcTimestamps?: boolean
  /** True for Hugo: URLs have the day as written, in its own offset. Otherwise URLs have the day in the zone. */
  readonly hasWrittenDays?: boolean
  /** Keys that the configuration adds for the date, the start and the end of publication. */
  readonly keys?: { readonly [kind in 'date' | 'start' | 'expiry']?: readonly string[] }
}

/** A site of files, as described by its generator. */
export interface StaticSite {
  readonly name?: string | undefined
  /** `https://example.com`, without a trailing slash. */
  readonly url?: string | undefined
  /** The path at which the site is served: `''` or `/blog`. */
  readonly base: string
  /** True if the tool puts the base before URLs of Markdown that begin with `/`. */
  readonly addsBase?: boolean
  readonly posts: readonly PostFile[]
  /** Folders whose files are served from the root of the site; `''` is the source itself. */
  readonly roots: readonly string[]
  readonly dates?: SiteDates | undefined
  /** Returns why the site withholds a post by keys that have this meaning only there. */
  withholds?(values: Values): string | undefined
  readonly author?: string | undefined
  readonly category?: string | undefined
  /** The slug of a post, if the site does not derive it from the file name; undefined to use the slug of its head. */
  slug?(head: PostHead): string | undefined
  /** The URL path of a post in the site, beginning with `/`; undefined when unknown. */
  address(head: PostHead): string | undefined
  /** True if only a program of the site knows the URL, so that the address is a guess. */
  isGuess?(head: PostHead): boolean
  /** Front-matter keys that only the generator uses, separated by blanks. */
  readonly ownKeys: string
  /** True when a text with several tags is split at white space, as in Jekyll. */
  readonly splitsAtBlanks?: boolean
  readonly steps: readonly Step[]
  /** Names of languages whose comments the tool leaves out, besides those of HTML and Markdown. */
  comments?(head: PostHead): string
  /** The folder whose records of authors come first. @default 'authors' */
  readonly authorFolder?: string | undefined
  /** Authors in the configuration. */
  readonly authors?: FieldValue
}

/** Detects how a site is organized. @throws UseError when the source is not such a site */
export type SiteGenerator = (tree: SourceTree, context: ImportContext) => StaticSite
