// A request with its values: its URL, and the page's own address for it.
// Pure: does not use the page or the network. A key is never part of an address.
import type { ApiOperation } from './operations.ts'

/** The values of the form, by the name of the field. */
export type Values = Readonly<Record<string, string>>

/** Returns path and query of a request. Empty values are left out; empty path parameters stay `{name}`. */
export function requestPath({ template, fields, group }: ApiOperation, values: Values): string {
  const path = template.replace(/\{(\w+)\}/g, (hole, name: string) =>
    (values[name] ?? '') === '' ? hole : encodeURIComponent(values[name] ?? ''),
  )
  // Slugs of items are paths.
  const whole = group.startsWith('collections/') ? path.replaceAll('%2F', '/') : path
  const query = fields
    .filter(({ place, name }) => place === 'query' && (values[name] ?? '') !== '')
    .map(({ name }) => `${name}=${encodeReadably(values[name] ?? '')}`)
  return query.length === 0 ? whole : `${whole}?${query.join('&')}`
}

/** Returns the names of required parameters without a value. */
export function missingFields({ fields }: ApiOperation, values: Values): readonly string[] {
  return fields
    .filter(({ name, isRequired }) => isRequired && (values[name] ?? '') === '')
    .map(({ name }) => name)
}

/** Returns the page's own address of a request: `#/v1ListPosts?workspaceId=acme&limit=2`. */
export function hashOf(id: string, values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const query = given.map(([name, value]) => `${name}=${encodeReadably(value)}`).join('&')
  return `#/${id}${query === '' ? '' : `?${query}`}`
}

/** Returns the operation and the values that a URL of the page names. */
export function readHash(hash: string): { readonly id: string; readonly values: Values } {
  const [id = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return { id, values: Object.fromEntries(new URLSearchParams(query)) }
}

/** Percent-encodes a value, except commas of lists. */
function encodeReadably(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',')
}
