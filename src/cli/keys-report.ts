// Keys as a table or JSON.
import { areDefaultScopes } from '../api/key-record.ts'
import type { StatedKey } from '../model/keys.ts'
import type { Style, Terminal } from './terminal.ts'

/**
 * Returns one line per key, below a header line.
 *
 * @param now milliseconds since 1970; decides which keys have expired
 */
export function keysTable(keys: readonly StatedKey[], now: number, terminal: Terminal): string {
  const rows = keys.map((key) => rowOf(key, now))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[], style: Style) =>
    row
      .map((cell, column) => style(cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  const plain: Style = (text) => text
  return [line(headings, terminal.bold), ...rows.map((row) => line(row, plain))].join('\n')
}

/** Returns `{"keys": [{"workspace": …, "state": "active"}]}`, with the first 8 digits of each hash. */
export function keysJson(keys: readonly StatedKey[], now: number): string {
  const list = keys.map((key) => {
    const { workspace, id, name, scopes, expiresAt, sha256 } = key.record
    return {
      workspace,
      id,
      name,
      scopes,
      created: key.created,
      expires: isoDate(expiresAt),
      revoked: key.revoked,
      state: keyState(key, now),
      hash: sha256.slice(0, 8),
    }
  })
  return JSON.stringify({ keys: list }, null, 2)
}

const headings = ['WORKSPACE', 'ID', 'NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'STATE']

function rowOf(key: StatedKey, now: number): readonly string[] {
  const { workspace, id, name, scopes, expiresAt } = key.record
  return [
    workspace,
    id,
    name,
    areDefaultScopes(scopes) ? 'default' : scopes.join(','),
    toTheMinute(key.created),
    toTheMinute(isoDate(expiresAt) ?? 'never'),
    keyState(key, now),
  ]
}

/** State of a key. */
type KeyState = 'active' | 'expired' | 'revoked'

function keyState({ record }: StatedKey, now: number): KeyState {
  if (record.revoked) return 'revoked'
  return record.expiresAt !== null && now >= record.expiresAt ? 'expired' : 'active'
}

/** `2026-03-04T09:30Z`; returns other texts unchanged. */
function toTheMinute(date: string): string {
  return date.replace(/:\d\d\.\d{3}Z$/, 'Z')
}

function isoDate(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
