// `quarry keys`: creates, lists and revokes API keys. A key in clear text is printed once to stdout, and nowhere else.
import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Document, isMap, isSeq, parseDocument, Scalar, YAMLSeq } from 'yaml'
import {
  areDefaultScopes,
  defaultScopes,
  hasCleartextKey,
  type KeyRecord,
  type Scope,
} from '../api/keys.ts'
import { replaceFile } from '../build/disk.ts'
import { withLock } from '../build/lock.ts'
import { keysFileName, readKeysText } from '../content/assemble.ts'
import { listWorkspaces, resolveFolder } from '../content/layout.ts'
import type { ReadResult } from '../content/raw.ts'
import { readTextFile } from '../content/read-file.ts'
import { BuildError, type Diagnostic, isError, UseError } from '../diagnostics.ts'
import { deriveId } from '../model/identifier.ts'
import { didYouMean, Problems } from '../model/read-fields.ts'
import { type KeyEntry, readKeys } from '../model/settings.ts'
import { encodeKey, formatEnvironmentKey, hashKey, keyBytes } from '../runtime/keys.ts'
import { type CommonFlags, readSettings } from './settings.ts'
import { terminalOf } from './terminal.ts'

/** Flags of `quarry keys create`. `expires` is in milliseconds since 1970. */
type CreateFlags = CommonFlags &
  Readonly<{ workspace: string; name?: string; scopes?: readonly Scope[]; expires?: number }>

/** Creates a key. Writes its hash to the file, then prints only the key to stdout. */
export async function runKeysCreate(flags: CreateFlags): Promise<void> {
  const now = Date.now()
  const name = checkName(flags.name)
  const { workspace, scopes = defaultScopes, expires: expiresAt = null } = flags
  if (expiresAt !== null && expiresAt <= now)
    throw new UseError(`--expires is ${new Date(expiresAt).toISOString()}, which is in the past.`)
  const root = await rootOf(flags)
  const key = encodeKey(randomBytes(keyBytes))
  const id = deriveId('', 'keys', randomBytes(16).toString('hex')).slice(0, 8)
  const record = await changeKeysFile(root, workspace, (text) => {
    const identity = { id, workspace, name: name ?? id, sha256: hashKey(key) }
    const result: KeyRecord = { ...identity, scopes, expiresAt, revoked: false }
    const created = new Date(now).toISOString()
    return { text: appendKey(text, { record: result, created, revoked: null }), result }
  })
  const file = relative(process.cwd(), join(root, workspace, keysFileName))
  process.stderr.write(
    `Created the key ${nameOf(record)} for ${workspace}. It is shown only once: store it now.\n` +
      `Its hash is in ${file}. It works after the next build, or without one if the function starts with this:\n` +
      `QUARRY_KEYS='${formatEnvironmentKey(record)}'\n`,
  )
  process.stdout.write(`${key}\n`)
}

/** Lists the keys of one workspace or of all. */
export async function runKeysList(
  flags: CommonFlags & { readonly workspace?: string; readonly json?: boolean },
): Promise<void> {
  const root = await rootOf(flags)
  const keys = loadKeys(root, await listWorkspaces(root))
    .filter(({ record }) => (flags.workspace ?? record.workspace) === record.workspace)
    .map(({ record, created, revoked }) => {
      const { workspace, id, name, scopes, expiresAt, sha256 } = record
      const expires = expiresAt === null ? null : new Date(expiresAt).toISOString()
      const isExpired = expiresAt !== null && Date.now() >= expiresAt
      const state = record.revoked ? 'revoked' : isExpired ? 'expired' : 'active'
      const hash = sha256.slice(0, 8)
      return { workspace, id, name, scopes, created, expires, revoked, state, hash }
    })
  const short = (date: string) => date.replace(/:\d\d\.\d{3}Z$/, 'Z')
  const rows = keys.map(({ workspace, id, name, scopes, created, expires, state }) => {
    const shown = areDefaultScopes(scopes) ? 'default' : scopes.join(',')
    return [workspace, id, name, shown, short(created), short(expires ?? 'never'), state]
  })
  const none = 'There are no keys. Create one with npx quarry keys create --workspace ID.'
  const text = rows.length === 0 ? none : table(rows)
  process.stdout.write(`${flags.json ? JSON.stringify({ keys }, null, 2) : text}\n`)
}

/** Marks a key as revoked. A key that is already revoked does not change. */
export async function runKeysRevoke(
  target: string,
  flags: CommonFlags & { readonly workspace: string },
): Promise<void> {
  if (hasCleartextKey(target)) throw new UseError("Pass the key's name or id, not the key itself.")
  const root = await rootOf(flags)
  const date = new Date().toISOString()
  const { record, revoked } = await changeKeysFile(root, flags.workspace, (text, keys) => {
    const result = findKey(keys, target)
    const { revoked, record } = result
    return { text: revoked === null ? markRevoked(text, record.id, date) : text, result }
  })
  const name = `${nameOf(record)} of ${record.workspace}`
  process.stdout.write(
    `${revoked === null ? `Revoked ${name}.` : `${name} was already revoked on ${revoked}.`}\n` +
      'It stops working after the next build, or at once if you set this on the running function:\n' +
      `QUARRY_KEYS='!${record.sha256}'\n`,
  )
}

/** Returns one line per row, below a header line. */
function table(rows: readonly (readonly string[])[]): string {
  const headings = ['WORKSPACE', 'ID', 'NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'STATE']
  const all = [headings, ...rows]
  const widths = headings.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const { bold } = terminalOf(process.env, process.stdout)
  return all
    .map((row, line) => {
      const cells = row.map((cell, at) => cell.padEnd(widths[at] ?? 0))
      return (line === 0 ? cells.map(bold) : cells).join('  ').trimEnd()
    })
    .join('\n')
}

/** Trims a name; undefined for none. @throws UseError without the name, which may be a key */
function checkName(text: string | undefined): string | undefined {
  const name = text?.trim()
  if (name === undefined) return undefined
  if (hasCleartextKey(name))
    throw new UseError('--name looks like a key. Say what the key is for instead.')
  if (name.length > 100 || /\p{Cc}/u.test(name))
    throw new UseError('--name must be 1 to 100 characters on one line.')
  return name
}

/** Returns the content folder. @throws UseError if it does not have the workspace in the flags */
async function rootOf(flags: CommonFlags & { readonly workspace?: string }): Promise<string> {
  const root = await resolveFolder((await readSettings(flags)).content)
  const [{ workspace }, known] = [flags, await listWorkspaces(root)]
  if (workspace === undefined || known.includes(workspace)) return root
  const shown = hasCleartextKey(workspace) ? 'of that name' : JSON.stringify(workspace)
  const hint = didYouMean(workspace, known) ?? `The workspaces are: ${known.join(', ') || 'none'}.`
  throw new UseError(`There is no workspace ${shown}. ${hint}`)
}

/** Returns the exact text of a file; '' if there is none. */
function readKeysFile(root: string, id: string): ReadResult<string> {
  const file = `${id}/${keysFileName}`
  const found = lstatSync(join(root, file), { throwIfNoEntry: false })
  return found ? readTextFile(root, file) : { value: '', diagnostics: [] }
}

/** Reads the keys of workspaces. @param edited the text of all files @throws BuildError for any error in their files */
function loadKeys(root: string, ids: readonly string[], edited?: string): readonly KeyEntry[] {
  const problems = new Problems()
  const diagnostics: Diagnostic[] = []
  const sources = ids.map((id) => {
    const text = edited === undefined ? readKeysFile(root, id) : { value: edited, diagnostics: [] }
    const { value, ...unread } = text
    const read = value === undefined ? unread : readKeysText(`${id}/${keysFileName}`, value)
    diagnostics.push(...read.diagnostics)
    return { id, keys: 'value' in read ? read.value : undefined }
  })
  const keys = [...readKeys(sources, problems).values()].flat()
  const all = [...diagnostics, ...problems.diagnostics]
  if (all.some(isError)) throw new BuildError(all, root)
  return keys
}

/** Finds a key by id, or else by name. Active keys take precedence over revoked keys. */
function findKey(keys: readonly KeyEntry[], target: string): KeyEntry {
  const byId = keys.find(({ record }) => record.id === target)
  if (byId !== undefined) return byId
  const named = keys.filter(({ record }) => record.name === target)
  const [found = named[0], ...others] = named.filter(({ revoked }) => revoked === null)
  if (found !== undefined && others.length === 0) return found
  const isShared = others.length > 0
  const problem = isShared ? 'Several keys have the name' : 'No key has the name or id'
  const candidates = (isShared ? named : keys).map(({ record }) => nameOf(record))
  const list = candidates.join(', ') || 'none'
  throw new UseError(
    `${problem} ${JSON.stringify(target)}. ${isShared ? 'Pass an id' : 'The keys are'}: ${list}.`,
  )
}

/** Formats name and id of a key: `web (k7m2q4xz)`. */
function nameOf({ id, name }: KeyRecord): string {
  return name === id ? id : `${name} (${id})`
}

/** @param text a valid file; an empty file gets a comment above the list */
function appendKey(text: string, key: KeyEntry): string {
  const { id, name, sha256, scopes, expiresAt } = key.record
  return edit(text.trim() === '' ? header : text, (list, document) => {
    // The name is in double quotes because it may look like a value of another type.
    const quoted = new Scalar(name)
    quoted.type = 'QUOTE_DOUBLE'
    const entry = {
      ...{ id, name: quoted, sha256, scopes: document.createNode(scopes, { flow: true }) },
      created: key.created,
      ...(expiresAt === null ? {} : { expires: new Date(expiresAt).toISOString() }),
    }
    list.add(document.createNode(entry))
  })
}

function markRevoked(text: string, id: string, date: string): string {
  return edit(text, ({ items }) => {
    const entry = items.find((item) => isMap(item) && item.get('id') === id)
    if (isMap(entry)) entry.set('revoked', date)
  })
}

const header = `# API keys for v2, as SHA-256 hashes. Never put a key in plain text here.
# "quarry keys create" adds a key, "quarry keys revoke" revokes one.
`

/** Edits the list. The failsafe schema keeps scalars unchanged: none becomes a number or a date. */
function edit(text: string, change: (list: YAMLSeq, document: Document) => void): string {
  const document: Document = parseDocument(text, { schema: 'failsafe' })
  const list = isSeq(document.contents) ? document.contents : new YAMLSeq()
  if (list.items.length === 0) list.flow = false
  document.contents = list
  change(list, document)
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited
}

/** Replaces a `keys.yml` under a lock. @throws BuildError for errors in the file, LockError if it stays locked */
async function changeKeysFile<T>(
  root: string,
  id: string,
  change: (text: string, keys: readonly KeyEntry[]) => { text: string; result: T },
): Promise<T> {
  const folder = join(root, id)
  return withLock(join(folder, `.${keysFileName}.lock`), async () => {
    const keys = loadKeys(root, [id])
    // The raw text has its original line endings.
    const before = readKeysFile(root, id).value ?? ''
    const { text, result } = change(before, keys)
    if (text === before) return result
    // Parses the new text, so that an invalid edit fails here and not in the next build.
    loadKeys(root, [id], text)
    const path = join(folder, keysFileName)
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode
    // Syncs the new file to disk before it replaces the old file.
    replaceFile(path, text, { flush: true, mode })
    return result
  })
}
