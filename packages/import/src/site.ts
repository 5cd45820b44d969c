// The interface between importers and the writer: documents of a foreign site, its settings, and the context of an
// import.
import type { FieldType, ResourceKind } from 'quarry/authoring'
import type { Ledger } from './ledger.ts'
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
  /** Final, from `Slugs.claim`. The file is `{kind}/{slug}.md`. */
  readonly slug: string
  /** Front matter without `slug`, in file order. References are slugs. */
  readonly fields: { readonly [key: string]: FieldValue }
  /** Markdown. Links to other posts are `./{slug}.md`; images are `../{path}` with a path of `images`. */
  readonly body: string
  readonly images?: readonly ImportedImage[]
  /** Old paths or slugs of the post; they become `aliases`. */
  readonly redirects?: readonly string[]
  /** Location in the source, for the report: a file, or a file and an entry number. */
  readonly from: string
}

/** An image of a document. */
export interface ImportedImage {
  /** Path relative to the workspace, with `/`: `media/2024/lock.png`. Equal paths mean equal images. */
  readonly path: string
  /** Reads the bytes, when the image is written; null when they are unreadable, which the importer reports. */
  readonly bytes: () => Uint8Array | null | Promise<Uint8Array | null>
}

/** Settings that an import writes to `workspace.yml`. */
export interface ImportedSettings {
  readonly name?: string | undefined
  /** The category of posts that name none, as a slug. */
  readonly defaultCategory?: string | undefined
  /** The URL of a post: `/blog/{slug}`. */
  readonly postLink?: string | undefined
  /** True when broken links or images remain. */
  readonly hasBrokenLinks?: boolean
  /** Custom fields by name. */
  readonly fields?: ReadonlyMap<string, FieldType>
}

/** A foreign site, read as a stream. */
export interface ImportedSite {
  /** Every document once; a document is not retained after it is written. */
  readonly documents: AsyncIterable<ImportedDocument> | Iterable<ImportedDocument>
  /** Called after the last document. */
  settings(): ImportedSettings
}

/** The context of an import. */
export interface ImportContext {
  /** The folder or file to import, absolute. */
  readonly source: string
  /** The folder of posts in the source, if named by the user. */
  readonly posts?: string | undefined
  /** The language of the posts, if named by the user: `pt-br`. */
  readonly language?: string | undefined
  /** A folder with the images of an export, absolute. */
  readonly media?: string | undefined
  /** The origin of the site, for exports whose URLs omit it: `https://example.com`. */
  readonly site?: string | undefined
  /** Templates for filters (Liquid) and shortcodes (Hugo) that the importer cannot run, by name. */
  readonly templates: ReadonlyMap<string, string>
  /** True to publish posts with unknown markup, which stays as text. */
  readonly keepUnknown: boolean
  /** True to import files without a date. */
  readonly isUndated?: boolean
  /** True to publish posts whatever their front matter says, except those with a password. */
  readonly ignoresDrafts?: boolean
  /** Keys of front matter that the user names. */
  readonly keys?: { readonly [kind in 'date' | 'category' | 'status']?: string | undefined }
  readonly report: Ledger
  /** Slugs of posts. */
  readonly slugs: Slugs
}

/** Reads a foreign site. @throws UseError when the source is no such site */
export type Importer = (context: ImportContext) => ImportedSite | Promise<ImportedSite>
