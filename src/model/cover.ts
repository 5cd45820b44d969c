// The cover of a post, where it is an image next to it.
import type { Destination, Destinations } from './destinations.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'

/** The meaning of `coverImage`; a URL stays as it is written. */
export function readCover(
  coverImage: string | null,
  reading: Reading,
  { destinations, problems }: { readonly destinations: Destinations; readonly problems: Problems },
): Destination {
  if (coverImage === null || !destinations.mayHold(coverImage)) return { url: null }
  const found = destinations.resolve(reading.source.file, 'image', coverImage)
  if (found.problem !== undefined) {
    problems.report(reading.source, placeOf(reading, ['coverImage']), found.problem())
  }
  return found
}
