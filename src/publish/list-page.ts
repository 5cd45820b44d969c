// A page of a list of objects, in the XML of S3.

/** Some objects of a folder, in the order of their names. */
export interface ListPage {
  readonly entries: readonly { readonly key: string; readonly ageMilliseconds: number }[]
  /** There are more after the last one. */
  readonly isTruncated: boolean
}

/**
 * Reads a response to `ListObjectsV2`. Objects with names that no publication gives are left out.
 *
 * @param folder that was listed, ending in `/`; names begin with it, without the prefix before
 * @param now by the clock of the store, milliseconds since 1970
 */
export function readListPage(text: string, folder: string, now: number): ListPage {
  const name = new RegExp(`<Key>[^<]*(${folder}[0-9a-f-]+)</Key>`)
  const entries = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, entry = '']) => {
    const [, key] = name.exec(entry) ?? []
    const [, modified = ''] = /<LastModified>([^<]+)</.exec(entry) ?? []
    return key === undefined ? [] : [{ key, ageMilliseconds: now - Date.parse(modified) }]
  })
  return { entries, isTruncated: text.includes('<IsTruncated>true<') }
}
