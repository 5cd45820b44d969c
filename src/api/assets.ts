// Images and custom fields of a workspace, as the vendor's SDKs list them.

/** The vendor's kinds of media files. Only images are published. */
export type MediaType = 'image' | 'video' | 'audio' | 'document'

/** An image in a published post. Keys are in the vendor's order. */
export interface MediaItem {
  /** Name of the published file, without its extension. */
  readonly id: string
  /** Name of the file in the content. */
  readonly name: string
  readonly url: string
  /** Always null: alternative texts belong to posts. */
  readonly alt: null
  /** Bytes. */
  readonly size: number
  readonly mimeType: string
  /** Pixels; null where the format does not contain them. */
  readonly width: number | null
  readonly height: number | null
  readonly duration: null
  readonly blurHash: null
  readonly type: 'image'
  /** Publication date of the first post that shows the image, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly createdAt: string
  /** Equal to `createdAt`: an image with other bytes is another image. */
  readonly updatedAt: string
}

/** Definition of a custom field. Keys are in the vendor's order; definitions from a file have no dates. */
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

/** Images and custom fields of a workspace. */
export interface Assets {
  /** By `createdAt`, then `id`, both descending, so images of scheduled posts come first. */
  readonly media: readonly MediaItem[]
  /** In order of definition. */
  readonly fields: readonly FieldItem[]
  /** When images disappear that only expiring posts show, by id: milliseconds since 1970. @default none does */
  readonly expiries?: Readonly<Record<string, number>>
}
