// The result of parsing, before validation: YAML values as typed, each with its position, and Markdown bodies.

import type { ResourceKind } from '../api/resources.ts'
import type { Diagnostic, Position, Problem } from '../diagnostics.ts'

/** A YAML value. Scalars are always text, exactly as typed: `1e3` is "1e3", `no` is "no". */
export type YamlValue = YamlText | YamlList | YamlMap

export interface YamlText {
  readonly kind: 'text'
  readonly value: string
  /** A plain scalar may be null (empty, `~`, `null`); quoted and block scalars are always text. */
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
  /** In file order; keys are unique. */
  readonly entries: ReadonlyMap<string, YamlEntry>
  readonly at: Position
}

export interface YamlEntry {
  readonly keyAt: Position
  /** The header of the column, in CSV. */
  readonly columnAt?: Position | undefined
  readonly value: YamlValue
}

/** The outcome of a read: a value, if any, and problems. */
export interface ReadResult<T> {
  /** Absent if an error prevents it. */
  readonly value?: T
  readonly diagnostics: readonly Diagnostic[]
}

/** A parsed Markdown file. */
export interface RawDocument {
  readonly file: string
  /** Text before the body, or the first line of a file without front matter: contains the source lines of problems. */
  readonly source: string
  /** Empty if the file has no front matter. */
  readonly frontMatter: YamlMap
  /** Exact text; empty for posts of a content folder, whose bodies are read when they are rendered. */
  readonly body: string
  /** SHA-256 of the body and its language, hexadecimal. */
  readonly bodyHash: string
  /** Line of the file on which `body` begins, from 1. */
  readonly bodyLine: number
  /** First heading of a post, null for none. @default null */
  readonly heading?: string | null
}

/** A YAML file: `workspace.yml`, `authors.yml`. */
export interface RawYaml {
  readonly file: string
  readonly source: string
  readonly value: YamlValue
}

/** A file to read. */
export interface PlannedFile {
  readonly path: string
  /** Name of the workspace's folder; empty for an image of all workspaces. */
  readonly workspace: string
  readonly role: Role
}

/** The role of a file. A list has several resources; an entry or a document has one. */
export type Role =
  | { readonly kind: 'settings' | 'keys' | 'image' }
  | { readonly kind: 'list' | 'entry' | 'document'; readonly of: ResourceKind }
  | { readonly kind: 'list' | 'document'; readonly of: CustomSource['of']; readonly name: string }

/** A folder or file of a collection, or the file of a singleton. */
export interface CustomSource {
  readonly of: 'items' | 'singletons'
  readonly name: string
  /** Path below the content folder. */
  readonly path: string
}

/** A file to read, with the SHA-256 of its bytes, hexadecimal, or its read error. */
export interface ScannedFile extends PlannedFile {
  readonly content: string | Problem
}

/** A file of a workspace; without `document` and `yaml` if it could not be parsed. */
export interface ParsedFile extends ScannedFile {
  readonly document?: RawDocument
  readonly yaml?: RawYaml
  readonly diagnostics: readonly Diagnostic[]
}

/** A parsed workspace folder. */
export interface RawWorkspace {
  readonly id: string
  /** By path in code unit order. Of two files of settings, the first counts; the second is an error. */
  readonly files: readonly ParsedFile[]
  /** Paths below the content folder: of posts, of all files that posts may refer to, and of site-relative images. */
  readonly folders: Readonly<Record<'posts' | 'all' | 'roots', readonly string[]>>
}

/** The parsed content folder: workspaces by id in code unit order, and every problem found so far. */
export interface RawContent {
  readonly workspaces: readonly RawWorkspace[]
  readonly diagnostics: readonly Diagnostic[]
}
