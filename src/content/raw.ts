// The result of reading, before it is given a meaning: YAML values as they were typed,
// each with its place in the file, and Markdown bodies.
import type { ResourceKind } from '../api/resources.ts'
import type { Diagnostic, Position } from '../diagnostics.ts'
import type { Problem } from './source.ts'

/** A YAML value. Scalars are always text, exactly as typed: `1e3` is "1e3", `no` is "no". */
export type YamlValue = YamlText | YamlList | YamlMap

export interface YamlText {
  readonly kind: 'text'
  readonly value: string
  /** Plain scalars may mean nothing (``, `~`, `null`); quoted ones and blocks are always text. */
  readonly isPlain: boolean
  readonly at: Position
}

export interface YamlList {
  readonly kind: 'list'
  readonly items: readonly YamlValue[]
  readonly at: Position
}

export interface YamlMap {
  readonly kind: 'map'
  /** In the order of the file; keys are unique. */
  readonly entries: ReadonlyMap<string, YamlEntry>
  readonly at: Position
}

export interface YamlEntry {
  readonly keyAt: Position
  readonly value: YamlValue
}

/** The outcome of reading one thing: a value or none, and what was wrong with it. */
export interface Read<T> {
  /** Absent when an error made it useless. */
  readonly value?: T
  readonly diagnostics: readonly Diagnostic[]
}

/** A Markdown file taken apart. */
export interface RawDocument {
  /** Path below the content folder, with `/`. */
  readonly file: string
  /** All before the body, or the first line where that is nothing: for the line that a problem is on. */
  readonly source: string
  /** Empty when the file has no front matter. */
  readonly frontMatter: YamlMap
  /**
   * Everything after the closing fence's line break, byte for byte. Empty for posts of a content folder: they are
   * known by their hash, and read when they are rendered.
   */
  readonly body: string
  /** See `bodyHashOf`. */
  readonly bodyHash: string
  /** Line of the file on which `body` begins, from 1. */
  readonly bodyLine: number
  /** The data of the front matter of a post: `PostSummary`, as JSON. */
  readonly summary?: unknown
  /** The first heading of a post, null for none. @default that of `body` */
  readonly heading?: string | null
}

/** A file of plain YAML: `workspace.yml`, `authors.yml`. */
export interface RawYaml {
  readonly file: string
  /** The whole file as text. */
  readonly source: string
  readonly value: YamlValue
}

/** One folder below the content folder, read whole. */
export interface RawWorkspace {
  /** The folder's name. */
  readonly id: string
  /** `workspace.yml`, where there is one. */
  readonly settings?: RawYaml
  /** `keys.yml`, where there is one. */
  readonly keys?: RawYaml
  /** `authors.yml`, `categories.yml` and `tags.yml`, and data files that are mapped to them. */
  readonly lists: ReadonlyMap<ResourceKind, readonly RawYaml[]>
  /** Data files of mapped folders: one resource each. */
  readonly entries: ReadonlyMap<ResourceKind, readonly RawYaml[]>
  /** Folders of posts and of images, as paths from the content folder, without a slash at the end. */
  readonly folders: WorkspaceFolders
  /** Markdown files of each kind, by path in code unit order. */
  readonly documents: ReadonlyMap<ResourceKind, readonly RawDocument[]>
  /** Paths of files that were there but could not be made out: what they state is not known. */
  readonly unreadable: ReadonlyMap<ResourceKind, readonly string[]>
  /** Images next to posts, below `media` and below roots: the SHA-256 of each, hexadecimal, or why it cannot be read. */
  readonly images: ReadonlyMap<string, string | Problem>
}

/** Where posts and images of a workspace are. */
export interface WorkspaceFolders {
  readonly posts: readonly string[]
  readonly media: readonly string[]
  /** Folders of images that are named by paths from the root of a site. */
  readonly roots: readonly string[]
}

/** The whole content folder, read: workspaces by id in code unit order, and every problem found on the way. */
export interface RawContent {
  readonly workspaces: readonly RawWorkspace[]
  readonly diagnostics: readonly Diagnostic[]
}
