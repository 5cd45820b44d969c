// `quarry explain`: explains the response of the last build to a request, or an error code.
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import type { FieldError } from '#client'
import { maskCleartextKeys } from '../api/keys.ts'
import { defaultParameters, parametersOf } from '../api/parameters.ts'
import { filePath } from '../api/paths.ts'
import { type ApiRequest, hasRows, type Target } from '../api/request.ts'
import { contentKinds, matchRoute } from '../api/routes.ts'
import { diagnosticCodes, isDiagnosticCode, UseError } from '../diagnostics.ts'
import { didYouMean } from '../model/read-fields.ts'
import { isKey } from '../runtime/keys.ts'
import type { ServedRows } from '../runtime/open-build.ts'
import { type AskedBuild, askBuild, openWithKey } from './open-build.ts'
import { exitCodes } from './report.ts'
import { type CommonFlags, packageInfo } from './settings.ts'
import { printable, terminalOf } from './terminal.ts'

/** The build, its files, the client's key, and the time in milliseconds since 1970. */
type ExplainContext = AskedBuild &
  Readonly<{ files: Pick<ReadonlySet<string>, 'has'>; key: string | null; now: number }>

/** A response, the reasons for it, and its properties by name. */
type Explanation = Readonly<{ target: string; status: number; why: readonly string[] }> &
  Readonly<Record<string, unknown>>

type ExplainFlags = CommonFlags &
  Readonly<{ keyStdin?: boolean; now?: number; json?: boolean; expect?: number }>

/** Explains a URL, a path or an error code. Exits with 1 if the status is not the expected one. */
export async function runExplain(address: string, flags: ExplainFlags): Promise<void> {
  if (/^[a-z]+(?:-[a-z0-9]+)*$/.test(address))
    return void process.stdout.write(`${codeSection(address)}\n`)
  // A path that begins with two slashes would be a host.
  const url = address.replace(/^(?=[^/?#]+:\d+(?:\/|$))/, 'http://').replace(/^(?=\/\/)/, '/.')
  if (!URL.canParse(url, 'http://localhost'))
    throw new UseError(`"${address}" is not a URL. Pass a path, such as /v1/my-site/posts.`)
  const { origin, pathname, search } = new URL(url, 'http://localhost')
  const { manifest, ...build } = await openWithKey(flags)
  const around = { ...build, files: manifest.files, now: flags.now ?? Date.now() }
  const { why, ...facts } = await explain(`${pathname}${search}`, around)
  const source = `This is the response of the last build. npx quarry doctor ${origin} compares the deployment with it.`
  const explanation = { ...facts, why: URL.canParse(url) ? [...why, source] : why }
  const text = flags.json ? JSON.stringify(explanation, null, 2) : describe(explanation)
  process.stdout.write(`${maskCleartextKeys(text)}\n`)
  if (flags.expect === undefined || flags.expect === explanation.status) return
  process.stderr.write(`The status is ${explanation.status}, not ${flags.expect}.\n`)
  process.exitCode = exitCodes.content
}

/** Returns the section of docs/errors.md about a code, without links and test markers, and the part that it is in. */
function codeSection(code: string): string {
  if (!isDiagnosticCode(code)) {
    // regex: a choice of words, which are letters and digits
    const shared = new RegExp(`\\b(?:${code.replaceAll('-', '|')})\\b`)
    const similar = diagnosticCodes.filter((each) => shared.test(each)).join(', ')
    const hint = didYouMean(code, diagnosticCodes) ?? (similar && `Similar codes: ${similar}.`)
    throw new UseError(`Unknown code "${code}". ${hint || 'Pass an error code, a URL or a path.'}`)
  }
  const text = readFileSync(join(packageInfo().folder, 'docs/errors.md'), 'utf8')
  const [before = '', after = ''] = text.split(`\n### ${code}\n`)
  const [part = ''] = before.slice(before.lastIndexOf('\n## ') + 4).split('\n', 1)
  const [section = ''] = after.split(/^#{2,3} /m)
  // regex: a section of the package's own document
  const linked = /(```[\s\S]*?```|`[^`\n]*`)|\[([^\]]+)\]\([^)]+\)/g
  const plain = section.replace(linked, (_, quoted, label) => quoted ?? label)
  return `${code} (${part})\n\n${plain.replace(/^<!-- .* -->\n/gm, '').trim()}`
}

function describe({ target, status, why, ...properties }: Explanation): string {
  const { bold, dim, green, red } = terminalOf(process.env, process.stdout)
  const text = `${status} ${STATUS_CODES[status] ?? ''}`
  const validUntil = properties['validUntil'] ?? (status === 200 ? 'the next build' : null)
  const rows = Object.entries({ ...properties, validUntil }).flatMap(([name, value]) => {
    const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return value === null ? [] : `  ${dim(label.padEnd(13))}  ${printable(String(value))}`
  })
  const head = `${bold(`GET ${target}`)}  ${status < 400 ? green(text) : red(text)}`
  return [head, ...why.map((sentence) => `  ${printable(sentence)}`), '', ...rows].join('\n')
}

/** Sends a request to the build, and explains the response. @param target path and query */
export async function explain(target: string, around: ExplainContext): Promise<Explanation> {
  const facts = await inspect(target, around)
  const { status, route, workspace, key, source, file, header, validUntil, problem } = facts
  const wrong: readonly FieldError[] = Array.isArray(problem.details) ? problem.details : []
  const ignored = header('x-ignored-parameters')?.split(', ').map(decodeURIComponent) ?? []
  const why = [
    problem.message,
    ...wrong.map((one) => `${one.field} ${one.message}.`),
    ...[status === 200 ? reasonsOf(facts) : refusalOf(facts)].flat(),
    ...(route ? ignored.map((name) => `${name} is ignored. ${ignoredHint(route, name)}`) : []),
  ]
  return {
    ...{ target, status, why: why.filter((text) => text !== undefined) },
    ...{ workspace, key: key?.id ?? null, source, file, bytes: Number(header('content-length')) },
    ...{ etag: header('etag'), cacheControl: header('cache-control') },
    ...{ location: header('location'), validUntil },
    ...{ build: around.site.build, now: new Date(around.now).toISOString() },
  }
}

type Facts = Awaited<ReturnType<typeof inspect>>

async function inspect(target: string, around: ExplainContext) {
  const { now, files } = around
  const [path = ''] = target.split('?', 1)
  const route = await (async () => matchRoute(path))().catch(() => null)
  const key = around.keyring.find(`Bearer ${around.key}`, now)
  const valid: (readonly [ApiRequest, ServedRows])[] = []
  const onRequest = (...each: readonly [ApiRequest, ServedRows]) => valid.push(each)
  const sent: Record<string, string> =
    around.key === null ? {} : { authorization: `Bearer ${around.key}` }
  const reply = await askBuild(around, target, { now, headers: sent, onRequest })
  const [[request, { instants }] = [null, { instants: [] }]] = valid
  const { status, body, headers } = reply
  const usual = route?.version === 'v2' ? key?.workspace : route?.workspace
  const planned = request !== null && status === 200 ? filePath(request) : null
  const file = planned !== null && files.has(planned) ? planned : null
  const [last = 0, next = now + 1] = instants
  const source = file !== null && last <= now && now < next ? ('file' as const) : reply.source
  const due = status === 404 ? await publicationOf(...valid) : Number.NaN
  const change = status === 200 ? (instants.find((instant) => instant > now) ?? 0) : due
  const values = new Map(headers)
  return {
    ...{ around, path, route, key, status, source, request, file },
    workspace: request?.workspace ?? usual ?? null,
    isExpired: due <= now,
    validUntil: change > now ? new Date(change).toISOString() : null,
    problem: status < 400 ? {} : JSON.parse(body.toString()),
    header: (name: string) => values.get(name) ?? null,
  }
}

/** Returns the time of publication of the post that a request names, visible or not; `NaN` for no post. */
async function publicationOf(valid?: readonly [ApiRequest, ServedRows]): Promise<number> {
  if (valid === undefined || !hasRows(valid[0].resource)) return Number.NaN
  const snapshot = await valid[1].open()
  return snapshot.publishedAt(snapshot.findPost(valid[0].identifier ?? ''))
}

/** Returns the reason for the source of a response, or all reasons why it has no file. */
function reasonsOf({ request, source, file, around: { files } }: Facts): string | string[] {
  if (request === null) return 'The response describes the service.'
  const { resource, isSdk, parameters } = request
  if (source === 'file')
    return 'A build writes this response to a file. quarry serve makes the same bytes from its index.'
  if (file !== null)
    return 'The build wrote a file, but other posts are visible now: until the next build, the response comes from the index.'
  if (isSdk) return 'Paths of the SDK have no files.'
  const isItem = resource === 'items' && request.identifier === null
  const usual = { ...defaultParameters, ...(isItem && { orderBy: 'own' as const }) }
  const pathWith = (given: object) => filePath({ ...request, parameters: { ...usual, ...given } })
  // Every page of a list has a file, if the list has one.
  const paths = Object.entries(parameters).flatMap(([name, value]) => {
    const isUsual = name === 'page' || String(value) === String(Reflect.get(usual, name))
    return isUsual ? [] : [[`\`${name}=${value}\``, pathWith({ [name]: value })] as const]
  })
  const left = paths.flatMap(([text, path]) => (path && !files.has(path) ? text : []))
  const isOpen = paths.every(([, path]) => path !== null)
  const reasons = [
    !isOpen && (isItem ? itemFiles : listFiles),
    left.length > 0 && `\`precompute\` in the configuration leaves out ${left.join(', ')}.`,
    ((isOpen && left.length === 0) || !files.has(pathWith({}) ?? '')) &&
      (absentFiles[resource] ?? absentFile),
  ]
  return reasons.flatMap((reason) => (reason ? `No file: ${reason}` : []))
}

const itemFiles =
  'a collection has files in its own order alone, by `page`, `limit`, `format` and `excludeContent`.'
const listFiles =
  'only `page`, `limit`, `order`, `format`, `excludeContent` and `include=posts` have files. Other parameters have too many values.'
const absentFile =
  '`precompute` in the configuration leaves out this version, id or combination, or the content was still scheduled when the site was built.'
const absentFiles: Readonly<Record<string, string>> = {
  changes: '`changes: true` in the configuration writes it.',
  redirects: 'no published post has an alias.',
}

/** Returns the reason for a status other than 200. The reason may contain facts that a client must not know. */
function refusalOf(facts: Facts): string | undefined {
  const { status, route, key, around } = facts
  if (status === 308)
    return route === null ? 'Paths have no slash at the end.' : 'A post has this slug in `aliases`.'
  if (status === 401) return keyProblem(around)
  if (status === 403) return `The key "${key?.id}" has only the scopes ${key?.scopes.join(', ')}.`
  return status === 404 ? absenceOf(facts) : undefined
}

function absenceOf(facts: Facts): string | undefined {
  const { path, route, workspace, around, validUntil, isExpired } = facts
  const ids = [...around.site.workspaces.keys()]
  if (route === null) return pathHint(path, ids)
  const served = around.site.workspaces.get(workspace ?? '')
  if (served === undefined)
    return didYouMean(workspace ?? '', ids) ?? `The workspaces are ${ids.join(', ')}.`
  if (served.isV1Private && route.version === 'v1')
    return 'The workspace has `v1: private`: only v2 serves it, with a key.'
  if (isExpired) return 'The post has expired: `expiresAt` has passed.'
  if (validUntil !== null) return 'The post is scheduled. It becomes visible without another build.'
  if (route.identifier === null) return undefined
  return 'The build has nothing published with this slug or id. Drafts need `quarry build --drafts`, `status=draft` and a key with `drafts:read`.'
}

/** Returns the nearest path, or where all paths are. */
function pathHint(path: string, ids: readonly string[]): string {
  const below = path.replace(/^\/(?:v1\/[^/]{1,99}|v2)\/[^/]{0,99}/, '')
  const v1 = ids.flatMap((id) => contentKinds.v1.map((it) => `/v1/${encodeURIComponent(id)}/${it}`))
  const v2 = contentKinds.v2.map((it) => `/v2/${it}`)
  const known = [...v1, ...v2].map((each) => each + below)
  return didYouMean(path, known) ?? 'docs/http-api.md and the response to / list all paths.'
}

/** Returns why a build does not accept a key, and what helps. */
export function keyProblem({ key, keyring }: Pick<ExplainContext, 'key' | 'keyring'>): string {
  if (key === null) return 'Set QUARRY_KEY to a key, or send one to stdin with --key-stdin.'
  if (!isKey(key)) return 'The key is malformed: a character is wrong or missing.'
  const expired = keyring.find(`Bearer ${key}`, Number.NEGATIVE_INFINITY)
  if (expired !== null) return `The key "${expired.id}" has expired.`
  return 'The key was revoked, or neither the build nor QUARRY_KEYS has it. If the key is newer, build again.'
}

/** Returns a hint on where an ignored parameter belongs. */
export function ignoredHint(route: Target, name: string): string {
  const v2: readonly string[] = parametersOf({ ...route, version: 'v2' })
  if (v2.includes(name)) return 'Only v2 has it.'
  return didYouMean(name, parametersOf(route)) ?? 'This operation has no such parameter.'
}
