// Converts the body of an imported post with its images, and reports all changes.
import { createRenderPool, type RenderPool } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import type { MediaFolder } from '../media-folder.ts'
import type { ImportedDocument, ImportedImage } from '../site.ts'
import { checkDrafts, type Draft, draftOf, type SourceHtml } from './convert.ts'

/** Collects the images of a post. */
export class PostImages {
  readonly #media: MediaFolder | undefined
  readonly #images = new Map<string, ImportedImage>()
  readonly #report: Ledger
  readonly #from: string

  constructor(media: MediaFolder | undefined, report: Ledger, from: string) {
    this.#media = media
    this.#report = report
    this.#from = from
  }

  /** The distinct images found so far. */
  get found(): readonly ImportedImage[] {
    return [...this.#images.values()]
  }

  /**
   * Returns the path of an image as written in a post. Returns undefined, with a report if there is a folder of
   * images, when the folder does not contain it.
   */
  take(paths: readonly string[]): string | undefined {
    const image = this.#media?.find(paths)
    if (image !== undefined) {
      this.#images.set(image.path, image)
      return `../${image.path}`
    }
    if (this.#media !== undefined)
      this.#report.add('left', 'image not found below --media', `${this.#from} (${paths[0]})`)
    return undefined
  }
}

/** The source of a body. */
export interface BodySource extends SourceHtml {
  /** Location of the post, for the report. */
  readonly from: string
}

/** A post with a body that is Markdown, or must be verified. */
export interface DraftPost {
  readonly document: Omit<ImportedDocument, 'body'>
  readonly body: Draft | string
  /** The last change of the verified Markdown. */
  readonly finish?: (markdown: string) => string
}

/** Drafts a post's body; returns undefined and reports a failure when that is impossible. */
export function postBody(source: BodySource, report: Ledger): Draft | undefined {
  const { from } = source
  const draft = draftOf(source)
  if (draft.kind === 'failed') {
    report.add('failed', draft.message, from)
    return undefined
  }
  for (const [name, count] of draft.linked)
    report.add('changed', `<${name}> made a link`, from, count)
  for (const [name, count] of draft.removed)
    report.add('left', `<${name}>: needs code that posts may not have`, from, count)
  return draft
}

/** Posts and characters that are verified together: enough to keep a thread busy, few enough for memory. */
const groupPostsMax = 32
const groupCharactersMax = 1024 * 1024

/**
 * Yields posts with verified bodies, in order. A group is verified in another thread while the next one is read.
 * Posts that cannot be imported are reported.
 */
export async function* checkedPosts(
  posts: AsyncIterable<DraftPost>,
  report: Ledger,
): AsyncGenerator<ImportedDocument> {
  const pool = createRenderPool({ workers: 1 })
  try {
    let checking: Promise<readonly ImportedDocument[]> = Promise.resolve([])
    for await (const group of groupsOf(posts)) {
      const documents = await checking
      checking = checkGroup(group, pool, report)
      // Awaited with the next group; a rejection before that must not be unhandled.
      checking.catch(() => {})
      yield* documents
    }
    yield* await checking
  } finally {
    await pool.close()
  }
}

async function* groupsOf(posts: AsyncIterable<DraftPost>): AsyncGenerator<readonly DraftPost[]> {
  let group: DraftPost[] = []
  let characters = 0
  for await (const post of posts) {
    group.push(post)
    characters += typeof post.body === 'string' ? post.body.length : post.body.markdown.length
    if (group.length < groupPostsMax && characters < groupCharactersMax) continue
    yield group
    group = []
    characters = 0
  }
  if (group.length > 0) yield group
}

async function checkGroup(
  group: readonly DraftPost[],
  pool: RenderPool,
  report: Ledger,
): Promise<readonly ImportedDocument[]> {
  const drafts = group.flatMap(({ body }) => (typeof body === 'string' ? [] : [body]))
  const checked = await checkDrafts(drafts, pool)
  return group.map(({ document, body, finish = (markdown: string) => markdown }) => {
    if (typeof body === 'string') return { ...document, body }
    const result = checked[drafts.indexOf(body)]
    if (result?.kind !== 'checked') {
      report.add('failed', result?.message ?? '', document.from)
      const fields = { ...document.fields, status: 'draft' }
      return { ...document, fields, body: finish(body.markdown) }
    }
    if (result.isRaw) {
      const text = 'kept as raw HTML: Markdown would not show the same text'
      report.add('changed', text, document.from)
    }
    return { ...document, body: finish(result.markdown) }
  })
}
