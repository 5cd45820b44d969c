// Parses a page of a list of objects in S3's XML.

/** Objects of a folder, sorted by name. */
export interface ListPage {
  readonly entries: readonly { readonly key: string; readonly ageMilliseconds: number }[]
  /** More objects follow the last one. */
  readonly isTruncated: boolean
}

/**
 * Parses a response to `ListObjectsV2`. Skips objects whose names no publication creates.
 *
 * @param folder the listed folder, ending in `/`, without the location's prefix
 * @param now by the clock of the store, in milliseconds since 1970
 */
export function readListPage(text: string, folder: string, now: number): ListPage {
  const name = new RegExp(`<Key>[^<]*(${folder}[0-9a-f-]+)</Key>`)
  const entries = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, entry = '']) => {
    const [, key] = name.exec(entry) ?? []
    const [, modified = ''] = /<LastModified>([^<]+)</.exec(entry) ?? []
    // The header `Date` has whole seconds, so an object may seem to be from the future.
    const ageMilliseconds = Math.max(0, now - Date.parse(modified))
    return key === undefined ? [] : [{ key, ageMilliseconds }]
  })
  return { entries, isTruncated: text.includes('<IsTruncated>true<') }
}
