// The types between an importer and the writer: documents of a foreign site, its settings, and the context of an import.
import type { ResourceKind } from '../api/resources.ts'
import type { FieldType } from '../model/field-values.ts'
import type { ImportReport } from './report.ts'
import type { Slugs } from './slugs.ts'

/** A value of front matter; undefined and null are left out of the file. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue }

/** A post, an author, a category or a tag, under the names and in the shapes of quarry. */
export interface ImportedDocument {
  readonly kind: ResourceKind
  /** Final: from `Slugs.claim`. The file is `{kind}/{slug}.md`. */
  readonly slug: string
  /** Front matter without `slug`, in the order of the file. References are slugs. */
  readonly fields: { readonly [key: string]: FieldValue }
  /** Markdown. Links to other posts are `./{slug}.md`, images `../{path}` with a path of `images`. */
  readonly body: string
  readonly images?: readonly ImportedImage[]
  /** Paths or slugs under which the post was found before; they become `aliases`. */
  readonly redirects?: readonly string[]
  /** Location in the source, for the report: a file, or a file and the number of an entry. */
  readonly from: string
}

/** An image of a document. */
export interface ImportedImage {
  /** Path below the workspace, with `/`: `media/2024/lock.png`. Equal paths are equal images. */
  readonly path: string
  /** Its bytes, read when the image is written; null when it cannot be read, which the importer reports. */
  readonly bytes: () => Uint8Array | null | Promise<Uint8Array | null>
}

/** Settings that an import writes to `workspace.yml`. */
export interface ImportedSettings {
  readonly name?: string | undefined
  /** Slug of the category of posts that name none. */
  readonly defaultCategory?: string | undefined
  /** The address of a post: `/blog/{slug}`. */
  readonly postLink?: string | undefined
  /** True when links or images were left that lead to nothing. */
  readonly hasBrokenLinks?: boolean
  /** Custom fields by name. */
  readonly fields?: ReadonlyMap<string, FieldType>
}

/** A foreign site, read as a stream. */
export interface ImportedSite {
  /** Every document once; nothing of a document is kept after it was written. */
  readonly documents: AsyncIterable<ImportedDocument> | Iterable<ImportedDocument>
  /** Called after the last document. */
  settings(): ImportedSettings
}

/** The context of an import. */
export interface ImportContext {
  /** The folder or file that is imported, absolute. */
  readonly source: string
  /** The folder of posts below the source, where one was named. */
  readonly posts?: string | undefined
  /** The language of the posts, where one was named: `pt-br`. */
  readonly language?: string | undefined
  /** A folder of images of an export, absolute. */
  readonly media?: string | undefined
  /** The origin of the site, for URLs that an export has without it: `https://example.com`. */
  readonly site?: string | undefined
  /** Templates of filters (Liquid) and shortcodes (Hugo) that the importer cannot run, by name. */
  readonly templates: ReadonlyMap<string, string>
  /** True to keep unknown markup as text. */
  readonly keepUnknown: boolean
  readonly report: ImportReport
  /** Slugs of posts. */
  readonly slugs: Slugs
}

/** Reads a foreign site. @throws UseError when the source is no such site */
export type Importer = (context: ImportContext) => ImportedSite | Promise<ImportedSite>
