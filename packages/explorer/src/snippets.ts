// The code of a request: for a shell, for JavaScript, and for the two libraries that read the API.
// Pure: does not use the page or the network. In the code, the key is the variable `QUARRY_KEY`.
import type { ApiOperation, Field } from './operations.ts'
import { requestPath, type Values } from './request.ts'

/** Code in one language or for one library. */
export interface Snippet {
  readonly label: string
  readonly code: string
}

/** Returns the code of a request to the service at a URL without a slash at its end. */
export function snippetsOf(
  operation: ApiOperation,
  values: Values,
  url: string,
): readonly Snippet[] {
  const target = url + requestPath(operation, values)
  const all: readonly (Snippet | null)[] = [
    { label: 'curl', code: curlSnippet(target, operation.needsKey) },
    { label: 'fetch', code: fetchSnippet(target, operation) },
    clientSnippet(operation, values, url),
    sdkSnippet(operation, values, url),
  ]
  return all.filter((snippet) => snippet !== null)
}

function curlSnippet(url: string, needsKey: boolean): string {
  const key = needsKey ? ' -H "Authorization: Bearer $QUARRY_KEY"' : ''
  return `curl${key} '${url.replaceAll("'", "'\\''")}'`
}

function fetchSnippet(url: string, { needsKey, template }: ApiOperation): string {
  const options = needsKey
    ? `, {\n  headers: { Authorization: \`Bearer \${process.env.QUARRY_KEY}\` },\n}`
    : ''
  const read = /\.(?:xml|txt)$/.test(template) ? 'text' : 'json'
  return `const response = await fetch(${quoted(url)}${options})\nconst data = await response.${read}()\n`
}

const resources: readonly string[] = ['posts', 'categories', 'tags', 'authors']

function clientSnippet(operation: ApiOperation, values: Values, url: string): Snippet | null {
  const call = clientCall(operation, values)
  if (call === null) return null
  const workspace = quoted(values['workspaceId'] ?? '')
  const access = operation.needsKey ? 'key: process.env.QUARRY_KEY' : `workspace: ${workspace}`
  const code = [
    `import { createClient } from 'quarry-client'\n`,
    `const content = createClient({\n  url: ${quoted(url)},\n  ${access},\n})`,
    `${call.comment}const result = await content.${call.text}`,
    'if (result.ok) console.log(result.data)\nelse console.error(result.error)\n',
  ]
  return { label: 'Client', code: code.join('\n') }
}

/** A call of a method, and a comment on unsupported parameters. */
interface Call {
  readonly text: string
  readonly comment: string
}

function clientCall({ group, fields, template }: ApiOperation, values: Values): Call | null {
  if (group === 'redirects') return { text: 'redirects()', comment: '' }
  const { since = '' } = values
  if (group === 'changes') return { text: `changes(${since && quoted(since)})`, comment: '' }
  if (!resources.includes(group)) return null
  const isOne = template.endsWith('{identifier}')
  // `limit=all` is one page; the client follows pages instead.
  const isAll = values['limit'] === 'all'
  const given = isAll ? { ...values, limit: '', page: '' } : values
  const inQuery = fields.filter(({ place }) => place === 'query')
  const query = queryOf(inQuery, given, (name) => name !== 'strict')
  const literal = literalOf(query.parts)
  const words = isOne ? [quoted(values['identifier'] ?? ''), literal] : [literal]
  const method = isOne ? 'get' : isAll ? 'collect' : 'list'
  const text = `${group}.${method}(${words.filter((word) => word !== '').join(', ')})`
  return { text, comment: query.comment }
}

const sdkParameters: Readonly<Record<string, readonly string[]>> = {
  postsList: [
    ...['limit', 'page', 'order', 'categories', 'excludeCategories', 'tags', 'excludeTags'],
    ...['query', 'format', 'featured', 'status'],
  ],
  postsGet: ['identifier', 'format', 'status'],
  list: ['limit', 'page'],
  get: ['identifier', 'limit', 'page'],
}

function sdkSnippet(operation: ApiOperation, values: Values, url: string): Snippet | null {
  const { group, fields, template } = operation
  if (!resources.includes(group)) return null
  const isOne = template.endsWith('{identifier}')
  const kind = isOne ? 'Get' : 'List'
  const known = sdkParameters[group === 'posts' ? `posts${kind}` : kind.toLowerCase()] ?? []
  const isText = (name: string) => name === 'featured'
  const query = queryOf(fields, values, (name) => known.includes(name), isText)
  const made = isOne ? 'const data' : 'const { result }'
  const code = [
    `import { Marble } from '@usemarble/sdk'\n`,
    `const marble = new Marble({\n  serverURL: ${quoted(url)},\n  apiKey: process.env.QUARRY_KEY,\n})`,
    `${query.comment}${made} = await marble.${group}.${kind.toLowerCase()}(${literalOf(query.parts)})\n`,
  ]
  return { label: 'SDK', code: code.join('\n') }
}

function queryOf(
  fields: readonly Field[],
  values: Values,
  isKnown: (name: string) => boolean,
  isText: (name: string) => boolean = () => false,
): { readonly parts: readonly string[]; readonly comment: string } {
  const given = fields.filter(({ name }) => name !== 'workspaceId' && (values[name] ?? '') !== '')
  const known = given.filter(({ name }) => isKnown(name))
  const missing = given.filter(({ name }) => !isKnown(name)).map(({ name }) => name)
  return {
    parts: known.map((field) => {
      const value = values[field.name] ?? ''
      const key = /^\w+$/.test(field.name) ? field.name : quoted(field.name)
      return `${key}: ${isText(field.name) ? quoted(value) : literalValue(field, value)}`
    }),
    comment: missing.length === 0 ? '' : `// Without ${missing.join(', ')}\n`,
  }
}

function literalValue({ name, kind, isList }: Field, value: string): string {
  const items = value.match(/(?:\\[\\,]|[^,])+/g) ?? []
  if (isList) return `[${items.map((item) => quoted(item.replace(/\\([\\,])/g, '$1'))).join(', ')}]`
  const isNumber = (name === 'limit' || name === 'page') && /^\d+$/.test(value)
  return isNumber || kind.type === 'flag' ? value : quoted(value)
}

/** Formats an object in one line if it fits, otherwise with one line for each part. */
function literalOf(parts: readonly string[]): string {
  if (parts.length === 0) return ''
  const line = `{ ${parts.join(', ')} }`
  return line.length <= 30 ? line : `{\n${parts.map((part) => `  ${part},\n`).join('')}}`
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}
