// Images in front matter, of posts and authors, that are files of the content.
import type { Destination, Destinations } from './destinations.ts'
import type { Problems } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'

/**
 * Resolves an image. An absolute URL is kept as written.
 *
 * @param path of the value in the front matter
 */
export function readPicture(
  image: string | null,
  path: readonly PropertyKey[],
  reading: Reading,
  { destinations, problems }: { readonly destinations: Destinations; readonly problems: Problems },
): Destination {
  if (image === null || !destinations.mayHold(image)) return { url: null }
  const found = destinations.resolve(reading.source.file, 'image', image)
  if (found.problem !== undefined) {
    problems.report(reading.source, placeOf(reading, path), found.problem())
  }
  return found
}
