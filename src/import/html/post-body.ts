// The body of an imported post: converted, with its images, and everything that changed reported.
import type { MediaFolder } from '../media-folder.ts'
import type { ImportReport } from '../report.ts'
import type { ImportedImage } from '../site.ts'
import type { Converter, SourceHtml } from './convert.ts'

/** Collects the images of one post. */
export class PostImages {
  readonly #media: MediaFolder | undefined
  readonly #images = new Map<string, ImportedImage>()
  readonly #report: ImportReport
  readonly #from: string

  constructor(media: MediaFolder | undefined, report: ImportReport, from: string) {
    this.#media = media
    this.#report = report
    this.#from = from
  }

  /** Every image that was found, once. */
  get found(): readonly ImportedImage[] {
    return [...this.#images.values()]
  }

  /**
   * The path of an image as a post writes it; undefined when it is not in the folder of images, which is reported
   * where there is one.
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

/** What a body is made from. */
export interface BodySource extends SourceHtml {
  /** Location of the post, for the report. */
  readonly from: string
}

/** Markdown of a post; undefined, with a failure reported, when its text could not be carried over. */
export function postBody(
  source: BodySource,
  convert: Converter,
  report: ImportReport,
): string | undefined {
  const { from } = source
  const converted = convert(source)
  if (converted.kind === 'failed') {
    report.add('failed', converted.message, from)
    return undefined
  }
  for (const [name, count] of converted.linked)
    report.add('changed', `<${name}> made a link`, from, count)
  for (const [name, count] of converted.removed)
    report.add('left', `<${name}>: needs code that posts may not have`, from, count)
  if (converted.isRaw)
    report.add('changed', 'kept as raw HTML: Markdown would not show the same text', from)
  return converted.markdown
}
