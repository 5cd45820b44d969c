// Posts whose text is known before all content is: what is made of their texts can begin while others are rendered.
// Knows nothing of what is made of them.
import type { RawDocument } from '../content/raw.ts'
import type { RenderedText } from '../markdown/rendering.ts'
import type { FrontMatterMapping } from '../model/front-matter-mapping.ts'
import { titleOf } from '../model/post-summary.ts'

/** A post that a workspace is likely to have. */
export interface ExpectedPost extends Pick<RenderedText, 'text'> {
  readonly workspace: string
  readonly title: string
}

/** Posts on their way through the renderer, which knows bodies alone. */
export class ExpectedPosts {
  readonly #mapping: FrontMatterMapping
  readonly #tell: (post: ExpectedPost) => void
  /** By the hashes of their bodies; of posts with the same body, the last one. */
  readonly #posts = new Map<string, Pick<ExpectedPost, 'workspace' | 'title'>>()

  constructor(mapping: FrontMatterMapping, tell: (post: ExpectedPost) => void) {
    this.#mapping = mapping
    this.#tell = tell
  }

  /** A post whose body may be rendered. */
  note(document: RawDocument): void {
    const title = titleOf(document, this.#mapping)
    const [workspace = ''] = document.file.split('/')
    if (title !== undefined) this.#posts.set(document.bodyHash, { workspace, title })
  }

  /** A body was rendered. */
  rendered({ bodyHash, text }: RenderedText): void {
    const post = this.#posts.get(bodyHash)
    if (post === undefined) return
    this.#posts.delete(bodyHash)
    this.#tell({ ...post, text })
  }
}
