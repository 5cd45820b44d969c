// The library of an earlier build, for one in which no front matter has changed since, nor anything else but the
// bodies of some posts: nothing is made out again then, and the code for that is not even loaded.
// Knows nothing of rendering.
import { hash } from 'node:crypto'
import { hex } from '../api/bytes.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import { documentKey, soundHead } from '../content/document-record.ts'
import { type ReadBody, readBodyBelow } from '../content/known-head.ts'
import { isPost } from '../content/layout.ts'
import type { Scan, ScannedFile } from '../content/scan.ts'
import { type Diagnostic, isError } from '../diagnostics.ts'
import type { FrontMatterMapping, KindMappings } from '../model/front-matter-mapping.ts'
import type { Library } from '../model/library.ts'
import { decodeLibrary, encodeLibrary } from '../model/library-record.ts'
import type { LinkInput } from '../model/link-settings.ts'
import type { ToolId } from './tool-id.ts'

/** A library as if it had been made out now. */
export interface RecalledLibrary extends Library {
  /** Bodies that are others since, by the paths of their files; drafts have some too. */
  readonly changed: ReadonlyMap<string, ReadBody>
  /** Stands for all but the bodies, as `keep` gave it. */
  readonly id: string
}

/** What a library is made with, beside the content. */
export interface LibrarySettings extends LinkInput {
  readonly frontMatter: FrontMatterMapping | KindMappings
}

/** Version of kept documents: `documentKey`. */
export function documentsVersion(tool: ToolId, { frontMatter }: LibrarySettings): string {
  return `${tool.tool} ${JSON.stringify(frontMatter)}`
}

/** Keeps the latest library of a configuration. */
export class KeptLibrary {
  readonly #root: string
  readonly #cache: Cache
  readonly #documents: string
  readonly #key: string

  /** @param root the content folder: absolute, free of links */
  constructor(root: string, cache: Cache, tool: ToolId, settings: LibrarySettings) {
    const { baseUrl, links } = settings
    this.#root = root
    this.#cache = cache
    this.#documents = documentsVersion(tool, settings)
    const version = `${this.#documents} ${JSON.stringify([baseUrl, links])}`
    this.#key = hash('sha256', `library ${schema} ${version}`)
  }

  /**
   * The library of a scan, where it is that of an earlier one but for the bodies of a few posts, and no post has been
   * published since.
   *
   * @throws CacheDamageError when what was kept is not what it was
   *
   * Cost: O(files); changed ones are read.
   */
  find(scan: Scan, now: number): RecalledLibrary | undefined {
    const record = this.#cache.find(this.#key)
    if (record === undefined || record.text('of') !== surroundings(scan)) return undefined
    const { validFrom, validUntil }: Period = JSON.parse(record.text('period'))
    if (now < (validFrom ?? -Infinity) || now >= (validUntil ?? Infinity)) return undefined
    const posts = scan.files.filter(isPost)
    const changed = this.#changedSince(record.text('contents'), posts, scan.mounts)
    if (changed === undefined) return undefined
    this.#cache.alsoWants(() => this.#documentsOf(scan))
    const hashes = new Map([...changed].map(([path, { bodyHash }]) => [path, bodyHash]))
    const own: readonly Diagnostic[] = JSON.parse(record.text('diagnostics'))
    return {
      workspaces: decodeLibrary(record.text('workspaces'), hashes),
      diagnostics: [...scan.diagnostics, ...own],
      changed,
      id: idOf(record),
    }
  }

  /**
   * Keeps a library for the next build, where it has no errors.
   *
   * @param library its diagnostics are those of the scan, the documents and its own, in this order
   * @returns what stands for it; empty where it is not kept
   */
  keep(scan: Scan, library: Library, now: number): string {
    const { diagnostics } = library
    if (diagnostics.some(isError)) return ''
    const workspaces = encodeLibrary(library)
    if (workspaces === undefined || workspaces.length > lettersMax) return ''
    const own = diagnostics.slice(scan.diagnostics.length)
    const contents = scan.files.filter(isPost).map(({ content }) => content)
    const texts = {
      of: surroundings(scan),
      contents: contents.join(''),
      diagnostics: JSON.stringify(own),
      period: JSON.stringify(periodOf(library, now)),
      workspaces,
    }
    const parts = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)])
    return idOf(this.#cache.add(this.#key, Object.fromEntries(parts)))
  }

  /** @param contents of the same posts as they were, one behind the other @returns undefined for more than bodies */
  #changedSince(
    contents: string,
    posts: readonly ScannedFile[],
    mounts: Scan['mounts'],
  ): ReadonlyMap<string, ReadBody> | undefined {
    const changed = new Map<string, ReadBody>()
    for (const [at, post] of posts.entries()) {
      const start = at * hashLetters
      if (contents.startsWith(String(post.content), start)) continue
      const before = this.#cache.find(
        documentKey(this.#documents, 'post', contents.slice(start, start + hashLetters)),
      )
      const body = changed.size < changedMax ? this.#bodyBelow(before, post, mounts) : undefined
      if (body === undefined) return undefined
      changed.set(post.path, body)
    }
    return changed
  }

  /** @param before what is kept of the file as it was */
  #bodyBelow(
    before: CacheRecord | undefined,
    post: ScannedFile,
    mounts: Scan['mounts'],
  ): ReadBody | undefined {
    const head = before === undefined ? null : soundHead(before)
    return head === null ? undefined : readBodyBelow({ root: this.#root, mounts }, post, head)
  }

  /** What is kept of the documents, for a build that reads them again. */
  *#documentsOf({ files }: Scan): Generator<string> {
    for (const file of files) {
      if (file.role.kind !== 'document' || typeof file.content !== 'string') continue
      yield documentKey(this.#documents, isPost(file) ? 'post' : 'term', file.content)
    }
  }
}

/** Moments in milliseconds since 1970 between which the same posts are scheduled; null for always and for ever. */
interface Period {
  readonly validFrom: number | null
  readonly validUntil: number | null
}

function periodOf({ workspaces }: Library, now: number): Period {
  let [from, until] = [-Infinity, Infinity]
  for (const { publishedAt } of workspaces.flatMap(({ posts }) => posts)) {
    if (publishedAt <= now) from = Math.max(from, publishedAt)
    else until = Math.min(until, publishedAt)
  }
  const momentOf = (time: number) => (Number.isFinite(time) ? time : null)
  return { validFrom: momentOf(from), validUntil: momentOf(until) }
}

/** Layout of the parts. */
const schema = 3

/** Of a SHA-256, hexadecimal. */
const hashLetters = 64

/** As many bodies are in memory until they are rendered; whoever changes more has other things to wait for. */
const changedMax = 64

/** JSON of some 80,000 posts: more is not worth its memory. */
const lettersMax = 48 * 1024 * 1024

function idOf(record: CacheRecord): string {
  return hex(record.digest('workspaces'))
}

/** Stands for everything that was scanned, but for what is in the posts. */
function surroundings({ workspaces, files, mounts }: Scan): string {
  const lines = files.map((file) =>
    isPost(file) ? file.path : `${JSON.stringify(file.content)} ${file.path}`,
  )
  // A name may hold a line break, but no NUL.
  return hash('sha256', [...workspaces, '', JSON.stringify(mounts), ...lines].join('\0'))
}
