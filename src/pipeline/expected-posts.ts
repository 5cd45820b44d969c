// Posts whose text is known before all content is: what is made of their texts can begin while others are rendered.
// Knows nothing of what is made of them.
import type { RenderedText } from '../markdown/rendering.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'

/** A post that a workspace is likely to have. */
export interface ExpectedPost extends Pick<RenderedText, 'text'> {
  readonly workspace: string
  readonly title: string
}

/** Posts on their way through the renderer, which knows bodies alone. */
export class ExpectedPosts {
  readonly #tell: (post: ExpectedPost) => void
  /** By the hashes of their bodies; of posts with the same body, the last one. */
  readonly #posts = new Map<string, Pick<ExpectedPost, 'workspace' | 'title'>>()

  constructor(tell: (post: ExpectedPost) => void) {
    this.#tell = tell
  }

  /** A post whose body may be rendered. @param title undefined where none can be made out */
  note({ bodyHash }: Pick<MarkdownBody, 'bodyHash'>, workspace: string, title?: string): void {
    if (title !== undefined) this.#posts.set(bodyHash, { workspace, title })
  }

  /** A body was rendered. */
  rendered({ bodyHash, text }: RenderedText): void {
    const post = this.#posts.get(bodyHash)
    if (post === undefined) return
    this.#posts.delete(bodyHash)
    this.#tell({ ...post, text })
  }
}
