// The cover image of a post, if it is a file of the content.
import type { Destination, Destinations } from './destinations.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'

/** Resolves `coverImage`. An absolute URL is kept as written. */
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
