// Edits the text of a `keys.yml`: adds or revokes a key, and preserves comments and order. Does not validate.
import { type Document, isMap, isSeq, parseDocument, Scalar, YAMLSeq } from 'yaml'
import type { StatedKey } from '../model/keys.ts'

/**
 * Appends an entry.
 *
 * @param text a valid file; an empty one gets a comment of a few lines above the list
 */
export function appendKey(text: string, key: StatedKey): string {
  return edit(text.trim() === '' ? OPENING : text, (document) => {
    const list = listOf(document)
    list.add(entryOf(document, key))
  })
}

/**
 * Marks a key as revoked.
 *
 * @param date `YYYY-MM-DDTHH:MM:SS.sssZ`
 * @throws RangeError if no entry has the id
 */
export function markRevoked(text: string, id: string, date: string): string {
  return edit(text, (document) => {
    const entry = listOf(document).items.find((item) => isMap(item) && item.get('id') === id)
    if (!isMap(entry)) throw new RangeError(`There is no key "${id}".`)
    entry.set('revoked', date)
  })
}

const OPENING = `# API keys for v2, as SHA-256 hashes. Never put a key in plain text here.
# "quarry keys create" adds a key, "quarry keys revoke" revokes one.
`

/** The failsafe schema keeps scalars as they were typed: none becomes a number or a date. */
function edit(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text, { schema: 'failsafe' })
  change(document)
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited
}

/** Returns the list at the root, created if missing. */
function listOf(document: Document): YAMLSeq {
  if (isSeq(document.contents)) {
    if (document.contents.items.length === 0) document.contents.flow = false
    return document.contents
  }
  const list = new YAMLSeq()
  document.contents = list
  return list
}

function entryOf(document: Document, { record, created }: StatedKey): unknown {
  const { id, name, sha256, scopes, expiresAt } = record
  const entry = {
    id,
    name: quoted(name),
    sha256,
    scopes: document.createNode(scopes, { flow: true }),
    created,
    ...(expiresAt === null ? {} : { expires: new Date(expiresAt).toISOString() }),
  }
  return document.createNode(entry)
}

/** Double-quoted, as a name may look like any scalar. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = 'QUOTE_DOUBLE'
  return scalar
}
