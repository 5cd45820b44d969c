// An image beside a post of the fixture, and where it is published.
import { createHash } from 'node:crypto'

/** A PNG of one transparent pixel. */
export const pictureBytes: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Its name: the first half of the SHA-256 of its bytes. */
export const pictureHash: string = createHash('sha256')
  .update(pictureBytes)
  .digest('hex')
  .slice(0, 32)

/** Where it is asked for. */
export const picturePath = `/media/beta/${pictureHash}.png`
