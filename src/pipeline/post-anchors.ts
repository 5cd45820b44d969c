// Anchors in posts that other posts link to.
import { quote } from '../diagnostics.ts'
import { idPrefix, idsIn } from '../markdown/links.ts'
import type { Rendering } from '../markdown/rendering.ts'
import type { Destination } from '../model/destinations.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import type { Problem } from '../model/problems.ts'

/** The anchors of a workspace's posts, read from the HTML of posts that are linked with a fragment. */
export class PostAnchors {
  readonly #rendering: Rendering
  readonly #list: () => readonly MarkdownBody[]
  /** By path in normal form C; computed for the first link with a fragment. */
  #bodies: ReadonlyMap<string, MarkdownBody> | undefined
  readonly #ids = new Map<string, ReadonlySet<string> | null>()

  /** @param list returns the bodies of the workspace */
  constructor(list: () => readonly MarkdownBody[], rendering: Rendering) {
    this.#list = list
    this.#rendering = rendering
  }

  /** Resolves the fragment of a destination to an id of its post, or adds a problem. */
  resolved(url: string, destination: Destination): Destination {
    const { anchor } = destination
    const ids = anchor === undefined ? null : this.#idsOf(anchor.file)
    if (anchor === undefined || ids === null || ids.has(anchor.name)) return destination
    if (!ids.has(`${idPrefix}${anchor.name}`)) {
      return { ...destination, problem: () => noAnchor(url) }
    }
    return { ...destination, url: destination.url?.replace('#', `#${idPrefix}`) ?? null }
  }

  /** @returns null for a post that was not rendered, which has its own problem */
  #idsOf(file: string): ReadonlySet<string> | null {
    const known = this.#ids.get(file)
    if (known !== undefined) return known
    this.#bodies ??= new Map(this.#list().map((body) => [body.file.normalize('NFC'), body]))
    const body = this.#bodies.get(file)
    const html = body && this.#rendering.find(body)?.read('html')
    const ids = html === undefined ? null : idsIn(JSON.parse(Buffer.from(html).toString()))
    this.#ids.set(file, ids)
    return ids
  }
}

function noAnchor(url: string): Problem {
  return {
    code: 'broken-anchor',
    severity: 'warning',
    message: `The link ${quote(url)} leads to a post that has no such id.`,
    hint: 'Link to the id of one of its headings, which is made of the text of the heading.',
  }
}
