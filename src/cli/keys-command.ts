// `quarry keys`: creates, lists and revokes API keys. A key in clear is printed once to stdout, and nowhere else.
import { randomBytes } from 'node:crypto'
import { join, relative } from 'node:path'
import { holdsClearKey } from '../api/clear-key.ts'
import { defaultScopes, type KeyRecord, type Scope } from '../api/key-record.ts'
import { UseError } from '../config.ts'
import { keysFileName, readKeysFile } from '../content/keys-file.ts'
import { resolveFolder } from '../content/tree.ts'
import { listWorkspaces } from '../content/workspaces.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { appendKey, markRevoked } from '../emit/keys-document.ts'
import { changeKeysFile, type KeysPlace } from '../emit/keys-file.ts'
import { readKeys, type StatedKey } from '../model/keys.ts'
import { didYouMean, Problems } from '../model/problems.ts'
import { encodeKey, formatEnvironmentKey, hashKey, keyBytes } from '../runtime/keys.ts'
import { keysJson, keysTable } from './keys-report.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { terminalOf } from './terminal.ts'

/** The flags of `quarry keys create`. */
export interface CreateFlags extends CommonFlags {
  readonly workspace: string
  readonly name?: string
  readonly scopes?: readonly Scope[]
  /** Milliseconds since 1970. */
  readonly expires?: number
}

/** The flags of `quarry keys list`. */
export interface ListFlags extends CommonFlags {
  readonly workspace?: string
  readonly json?: boolean
}

/** The flags of `quarry keys revoke`. */
export interface RevokeFlags extends CommonFlags {
  readonly workspace: string
}

/** Creates a key. Only the key goes to stdout, after its hash is in the file. */
export async function runKeysCreate(flags: CreateFlags): Promise<void> {
  const now = Date.now()
  const name = checkName(flags.name)
  if (flags.expires !== undefined && flags.expires <= now) {
    throw new UseError(`--expires is ${new Date(flags.expires).toISOString()}, which is past.`)
  }
  const place = await placeOf(flags)
  const key = encodeKey(randomBytes(keyBytes))
  const limits = { scopes: flags.scopes ?? defaultScopes, expiresAt: flags.expires ?? null }
  const record = await changeKeysFile(place, ({ text, keys }) => {
    const id = newId(keys)
    const identity = { id, workspace: place.workspace, name: name ?? id, sha256: hashKey(key) }
    const result: KeyRecord = { ...identity, ...limits, revoked: false }
    const created = new Date(now).toISOString()
    return { text: appendKey(text, { record: result, created, revoked: null }), result }
  })
  process.stderr.write(`${describeCreated(record, place)}\n`)
  process.stdout.write(`${key}\n`)
}

/** Lists the keys of one workspace or of all. */
export async function runKeysList(flags: ListFlags): Promise<void> {
  const root = await contentRoot(flags)
  const workspaces = await listWorkspaces(root)
  if (flags.workspace !== undefined) checkWorkspace(flags.workspace, workspaces)
  const all = await loadKeys(root, workspaces)
  const keys = all.filter(
    ({ record }) => (flags.workspace ?? record.workspace) === record.workspace,
  )
  const now = Date.now()
  const terminal = terminalOf(process.env, process.stdout)
  if (flags.json === true) process.stdout.write(`${keysJson(keys, now)}\n`)
  else if (keys.length > 0) process.stdout.write(`${keysTable(keys, now, terminal)}\n`)
  else
    process.stdout.write(
      'There are no keys. Create one with npx quarry keys create --workspace ID.\n',
    )
}

/** Marks a key as revoked. An already revoked key is unchanged. */
export async function runKeysRevoke(target: string, flags: RevokeFlags): Promise<void> {
  if (holdsClearKey(target)) throw new UseError("Give the key's name or id, not the key itself.")
  const place = await placeOf(flags)
  const date = new Date().toISOString()
  const key = await changeKeysFile(place, ({ text, keys }) => {
    const found = findKey(keys, target)
    const isDone = found.revoked !== null
    return { text: isDone ? text : markRevoked(text, found.record.id, date), result: found }
  })
  process.stdout.write(`${describeRevoked(key)}\n`)
}

/** @returns undefined for none @throws UseError, which never repeats the name: it may be a key */
function checkName(text: string | undefined): string | undefined {
  const name = text?.trim()
  if (name === undefined) return undefined
  if (holdsClearKey(name)) throw new UseError('--name looks like a key; say what the key is for.')
  if (name === '' || name.length > 100 || /\p{Cc}/u.test(name)) {
    throw new UseError('--name must be 1 to 100 characters on one line.')
  }
  return name
}

async function placeOf(flags: CommonFlags & { readonly workspace: string }): Promise<KeysPlace> {
  const root = await contentRoot(flags)
  checkWorkspace(flags.workspace, await listWorkspaces(root))
  return { root, workspace: flags.workspace }
}

async function contentRoot(flags: CommonFlags): Promise<string> {
  return resolveFolder((await readSettings(flags)).content)
}

function checkWorkspace(workspace: string, known: readonly string[]): void {
  if (known.includes(workspace)) return
  const shown = holdsClearKey(workspace) ? 'of that name' : JSON.stringify(workspace)
  const hint = didYouMean(workspace, known) ?? `The workspaces are: ${known.join(', ') || 'none'}.`
  throw new UseError(`There is no workspace ${shown}. ${hint}`)
}

/** Returns eight characters of a-z and 2-7 that no key of the file has as its id. */
function newId(keys: readonly StatedKey[]): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  const id = Array.from(randomBytes(8), (byte) => alphabet.charAt(byte % 32)).join('')
  return keys.some(({ record }) => record.id === id) ? newId(keys) : id
}

async function loadKeys(
  root: string,
  workspaces: readonly string[],
): Promise<readonly StatedKey[]> {
  const problems = new Problems()
  const read = await Promise.all(
    workspaces.map(async (id) => ({ id, ...(await readKeysFile(root, id)) })),
  )
  const sources = read.map(({ id, value }) => (value === undefined ? { id } : { id, keys: value }))
  const keys = [...readKeys(sources, problems).values()].flat()
  const all = [...read.flatMap(({ diagnostics }) => diagnostics), ...problems.diagnostics]
  if (all.some(isError)) throw new BuildError(all)
  return keys
}

/** Finds a key by id, or else by name; an unrevoked key takes precedence over revoked ones. */
function findKey(keys: readonly StatedKey[], target: string): StatedKey {
  const byId = keys.find(({ record }) => record.id === target)
  if (byId !== undefined) return byId
  const named = keys.filter(({ record }) => record.name === target)
  const [found = named[0], ...others] = named.filter(({ revoked }) => revoked === null)
  if (found !== undefined && others.length === 0) return found
  const problem = others.length > 0 ? 'Several keys have the name' : 'No key has the name or id'
  const candidates = (others.length > 0 ? named : keys).map(({ record }) => nameOf(record))
  const list = candidates.join(', ') || 'none'
  throw new UseError(`${problem} ${JSON.stringify(target)}. The keys are: ${list}.`)
}

function describeCreated(record: KeyRecord, { root }: KeysPlace): string {
  const file = relative(process.cwd(), join(root, record.workspace, keysFileName))
  return [
    `Created the key ${nameOf(record)} for ${record.workspace}. It is shown only this once, so store it now.`,
    `Its hash is in ${file}. The key works after the next build, or at once if the running function has`,
    `QUARRY_KEYS='${formatEnvironmentKey(record)}'`,
  ].join('\n')
}

function describeRevoked({ record, revoked }: StatedKey): string {
  const name = `${nameOf(record)} of ${record.workspace}`
  return [
    revoked === null ? `Revoked ${name}.` : `${name} was already revoked on ${revoked}.`,
    'It stops working with the next build, or at once if the running function has',
    `QUARRY_KEYS='!${record.sha256}'`,
  ].join('\n')
}

/** `web (k7m2q4xz)`. */
function nameOf({ id, name }: KeyRecord): string {
  return name === id ? id : `${name} (${id})`
}
