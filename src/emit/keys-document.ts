// Edits the text of a `keys.yml`: adds an entry or marks one, and keeps comments and order.
// Pure: knows neither the disk nor whether the entries are right.
import { type Document, isMap, isSeq, parseDocument, Scalar, YAMLSeq } from 'yaml'
import type { StatedKey } from '../model/keys.ts'

/**
 * The text with one more entry at its end.
 *
 * @param text of a file without errors; a few lines of comment stand above the list when it is empty
 */
export function appendKey(text: string, key: StatedKey): string {
  return edit(text.trim() === '' ? OPENING : text, (document) => {
    const list = listOf(document)
    list.add(entryOf(document, key))
  })
}

/**
 * The text with a key marked as revoked.
 *
 * @param date `YYYY-MM-DDTHH:MM:SS.sssZ`
 * @throws RangeError when no entry has the id
 */
export function markRevoked(text: string, id: string, date: string): string {
  return edit(text, (document) => {
    const entry = listOf(document).items.find((item) => isMap(item) && item.get('id') === id)
    if (!isMap(entry)) throw new RangeError(`There is no key "${id}".`)
    entry.set('revoked', date)
  })
}

const OPENING = `# Keys for version 2 of the interface, as SHA-256: a key in clear never belongs here.
# "quarry keys create" adds one, "quarry keys revoke" ends one.
`

/** Scalars stay as they were typed: without a schema none of them is a number or a date. */
function edit(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text, { schema: 'failsafe' })
  change(document)
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited
}

/** The list at the root, made where there is none. */
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

/** In double quotes: a name may look like anything. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = 'QUOTE_DOUBLE'
  return scalar
}
