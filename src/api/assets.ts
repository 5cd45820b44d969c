// The images and custom fields of a workspace as the vendor's SDKs list them.

/** Kinds of media files of the vendor; only images are published. */
export type MediaType = 'image' | 'video' | 'audio' | 'document'

/** An image that a post shows. Keys are in the vendor's order. */
export interface MediaItem {
  /** The name of the published file, without its extension. */
  readonly id: string
  /** The name of the file next to the post. */
  readonly name: string
  readonly url: string
  /** Alternative texts belong to the posts. */
  readonly alt: null
  /** Bytes. */
  readonly size: number
  readonly mimeType: string
  /** Pixels; null where the format does not reveal them. */
  readonly width: number | null
  readonly height: number | null
  readonly duration: null
  readonly blurHash: null
  readonly type: 'image'
  /** Publication of the first post that shows the image, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly createdAt: string
  /** The same: changed bytes are another image. */
  readonly updatedAt: string
}

/** The definition of a custom field. Keys are in the vendor's order; a definition in a file has no dates. */
export interface FieldItem {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'select' | 'multiselect'
  readonly required: boolean
  readonly position: number
  readonly options: readonly {
    readonly id: string
    readonly value: string
    readonly label: string
    readonly position: number
  }[]
}

/** Everything that a workspace has next to posts and terms. */
export interface Assets {
  /** By `createdAt`, then `id`, both descending: images of scheduled posts are first. */
  readonly media: readonly MediaItem[]
  /** In the order of their definitions. */
  readonly fields: readonly FieldItem[]
}
