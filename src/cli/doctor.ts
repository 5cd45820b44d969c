// `quarry doctor`: checks a deployment, and requests content that it must not serve: a sample, or everything.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { urlToHttpOptions } from 'node:url'
import pMap from 'p-map'
import { documentKinds } from '../api/documents.ts'
import { readPost } from '../api/include.ts'
import { versionRoots } from '../api/paths.ts'
import { resourceKinds } from '../api/resources.ts'
import type { Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import type { ServedSite } from '../runtime/open-build.ts'
import { keyProblem } from './explain.ts'
import { type AskedBuild, askBuild, openWithKey } from './open-build.ts'
import { exitCodes } from './report.ts'
import { type CommonFlags, messageOf } from './settings.ts'
import { formatCount, plural, printable, terminalOf } from './terminal.ts'

type DoctorFlags = CommonFlags & Readonly<{ probe?: boolean; files?: number; keyStdin?: boolean }>

/** Runs `quarry doctor`. Exits with 1 on any finding. */
export async function runDoctor(url: URL, flags: DoctorFlags): Promise<void> {
  const { manifest, ...build } = await openWithKey(flags)
  const { site, key, keyring } = build
  if (key !== null && keyring.find(`Bearer ${key}`, Date.now()) === null)
    throw new UseError(keyProblem(build))
  const all = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
  const drafts = await listDrafts(site)
  const max = flags.probe ? Number.MAX_SAFE_INTEGER : (flags.files ?? 2)
  const sample = <T>(from: readonly T[]) =>
    from.filter((_, at) => at % Math.ceil(from.length / max) === 0)
  const [files, some] = [sample(all), sample(drafts)]
  const spelled = [...files, ...sharedFiles].flatMap(fileTargets)
  const targets = [...new Set([...spelled, ...some.flat()])]
  const withKey = key === null ? [] : [['the key', { authorization: `Bearer ${key}` }] as const]
  const clients: readonly (readonly [owner: string, Headers])[] = [['no key', {}], ...withKey]
  const count = targets.length * clients.length
  const part = `${files.length} of ${plural(all.length, 'private file')} and ${some.length} of ${plural(drafts.length, 'draft')}`
  const isAll = files.length + some.length === all.length + drafts.length
  const about = `Sending about ${formatCount(count + 8)} requests to ${url.origin}, for ${part}`
  printLine(`${about} in every spelling.${isAll ? '' : ' --probe requests all of them.'}`)
  const minutes = Math.ceil(count / (20 * 60))
  if (minutes > 2) printLine(`With the default rate limit, this takes at least ${minutes} minutes.`)
  const send = createSender(url)
  const { counts, total, isSameBuild } = await runChecks(send, build, manifest, withKey[0]?.[1])
  const isLeak = createLeakCheck(build, manifest, isSameBuild)
  const leaks: string[] = []
  for (const [owner, headers] of clients) {
    const probe = async (target: string) => {
      const answer = await send(target, headers).catch(() => null)
      if (answer === null || answer.status === 429) counts.hidden += 1
      else if (await isLeak(answer, target, headers))
        leaks.push(`${printable(target)} is a ${answer.status} with ${owner}`)
    }
    await pMap(targets, probe, { concurrency: 16 })
  }
  const { red } = terminalOf(process.env, process.stdout)
  for (const leak of leaks.sort()) printLine(`  ${red('leak')} ${leak}`)
  const unknown = `${formatCount(counts.hidden)} unknown: start the server with QUARRY_RATE_LIMIT=off`
  const rest = counts.hidden > 0 ? `, ${unknown}` : ''
  printLine(`${total}. ${plural(count, 'probe')}: ${plural(leaks.length, 'leak')}${rest}.`)
  if (counts.finding + leaks.length > 0) process.exitCode = exitCodes.content
}

const printLine = (line: string) => process.stdout.write(`${line}\n`)

type Headers = Readonly<Record<string, string>>
type Answer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>
type Send = ReturnType<typeof createSender>

/** Returns a function that requests targets unchanged, as fast as the server allows. `fetch` would normalize them. */
function createSender(base: URL) {
  const { get } = base.protocol === 'https:' ? https : http
  const sendOnce = async (target: string, headers: Headers = {}, tries = 5): Promise<Answer> => {
    const path = `${base.pathname.replace(/\/$/, '')}${target}`
    const signal = AbortSignal.timeout(20_000)
    const sent = get({ ...urlToHttpOptions(base), path, headers, signal })
    const [incoming] = (await once(sent, 'response')) as [IncomingMessage]
    const { statusCode: status = 0, headers: own } = incoming
    const body = await buffer(incoming)
    const seconds = Number(own['retry-after'])
    if (status !== 429 || tries === 1 || !(seconds <= 60)) return { status, headers: own, body }
    await pause(seconds * 1000)
    return sendOnce(target, headers, tries - 1)
  }
  // Tries again if there is no response, because the host may have just closed an idle connection.
  return (target: string, headers?: Headers) =>
    sendOnce(target, headers)
      .catch(() => sendOnce(target, headers))
      .catch((error) => {
        throw new UseError(`No response from ${base.origin}: ${messageOf(error)}`)
      })
}

/** Headers that differ only by mistake, and their part that matters. Hosts may add to the other parts. */
const comparedHeaders: readonly (readonly [name: string, part: RegExp])[] = [
  ['cache-control', /\b(?:private|no-store)\b/],
  ['vary', /\bauthorization\b/i],
  ['access-control-allow-origin', /.+/],
]

/** Compares requests with the build, for common faults of proxies and caches. Prints all but what a rate limit hid. */
async function runChecks(send: Send, build: AskedBuild, manifest: Manifest, withKey?: Headers) {
  const { status, headers, body } = await send('/status')
  const deployed = /"build":"(\w+)"/.exec(body.toString())?.[1]
  const isSameBuild = deployed === manifest.build
  const skew = Math.round(Math.abs(Date.parse(headers.date ?? '') - Date.now()) / 1000)
  const { green, red } = terminalOf(process.env, process.stdout)
  const counts = { ok: 0, finding: 0, hidden: 0 }
  const report = (name: string, status: number, finding: string) => {
    const state = status === 429 ? 'hidden' : finding === '' ? 'ok' : 'finding'
    counts[state] += 1
    const shown = { ok: green('ok'), finding: red('finding'), hidden: 'hidden' }[state]
    printLine(`  ${shown} ${name}${state === 'finding' ? `: ${printable(finding)}` : ''}`)
  }
  const compare = async (name: string, target: string, headers: Headers = {}) => {
    const answer = await send(target, headers)
    const expected = await askBuild(build, target, { headers })
    const differences = comparedHeaders.flatMap(([header, part]) => {
      const given = String(answer.headers[header] ?? '')
      const should = expected.headers.find(([each]) => each === header)?.[1] ?? ''
      return part.exec(given)?.[0] === part.exec(should)?.[0] ? [] : `${header} is "${given}"`
    })
    if (answer.status !== expected.status)
      differences.unshift(`is a ${answer.status}, not a ${expected.status}`)
    else if (isSameBuild && !expected.body.equals(answer.body)) differences.push('has another body')
    report(name, answer.status, differences.join('; '))
    return answer
  }
  const another = isSameBuild ? '' : `it has ${deployed ?? 'none'}, not ${manifest.build}`
  report('the deployment has this build', status, another)
  const late = skew > 60 ? `it is off by ${skew} s: posts appear early or late` : ''
  report('the clock is right', status, late)
  await compare('an unknown path is a 404', '/v1/no/such/path/here')
  await compare('a request without a key is a 401', '/v2/posts')
  const [id] = [...build.site.workspaces].find(([, { isV1Private }]) => !isV1Private) ?? []
  if (id !== undefined) {
    const path = `/v1/${encodeURIComponent(id)}/posts`
    const { cors: [origin = ''] = ['*'] } = manifest.http ?? {}
    const list = await compare('pages may read v1, and caches may store it', path, { origin })
    const known = await send(path, { 'if-none-match': list.headers.etag ?? '"none"' })
    const other = known.status === 304 ? '' : `is a ${known.status}, not a 304`
    report('a known ETag is a 304', known.status, other)
    await compare('parameters have an effect', `${path}?order=asc`)
  }
  if (withKey !== undefined)
    await compare('the key opens v2, and shared caches do not store it', '/v2/posts', withKey)
  const { ok, finding, hidden } = counts
  const total = `${plural(ok + finding + hidden, 'check')}: ${plural(finding, 'finding')}`
  return { counts, total, isSameBuild }
}

/**
 * Detects leaks: content that is neither a public file nor a response of the build.
 *
 * @param isSameBuild false if the deployment has another build, whose responses can be compared by status alone
 */
export function createLeakCheck(
  build: AskedBuild,
  { files }: Pick<Manifest, 'files'>,
  isSameBuild: boolean,
): (answer: Omit<Answer, 'headers'>, target: string, headers: Headers) => Promise<boolean> {
  const open = [...files].filter(([path]) => path.startsWith('public/'))
  const readable = new Set(open.map(([, { sha256 }]) => sha256))
  return async ({ status, body }, target, headers) => {
    if (status < 200 || status > 203 || readable.has(hash('sha256', body))) return false
    // A host may resolve `/./` and `\\`, as browsers do.
    const { pathname, search } = new URL(`http://host.invalid${target}`)
    for (const spelling of [target, pathname + search]) {
      const expected = await askBuild(build, spelling, { headers })
      if (expected.status === 200 && (!isSameBuild || expected.body.equals(body))) return false
    }
    return true
  }
}

/** Returns the targets of each draft in all workspaces; none if the build has no drafts. */
export async function listDrafts({ workspaces }: ServedSite): Promise<readonly string[][]> {
  const found: string[][] = []
  for (const [workspace, served] of workspaces)
    for (const [name, rows] of [['', served] as const, ...(served.collections ?? [])]) {
      const kind = name === '' ? 'posts' : `collections/${name}`
      const snapshot = await rows.openDrafts()
      for (const ordinal of snapshot.drafts) {
        const { id, slug, title } = await readPost(ordinal, snapshot)
        const aliases = snapshot.aliases.flatMap(({ from, to }) => (to === slug ? [from] : []))
        found.push(draftTargets(`${workspace}/${kind}`, [slug, id, ...aliases], title))
      }
    }
  return found
}

/** Returns targets that could respond with a draft. @param path that of its list @param names slug, id and aliases */
function draftTargets(path: string, names: readonly string[], title: string): string[] {
  const [workspace, ...kind] = path.split('/').map(encodeURIComponent)
  const list = kind.join('/')
  const values = names.map(encodeURIComponent)
  const queries = [
    `${list}?query=${encodeURIComponent(title)}`,
    ...values.flatMap((name) => [`${list}?slugs=${name}`, `${list}?ids=${name}`]),
    ...resourceKinds.map((each) => `${each}?include=posts&limit=100`),
  ].flatMap((query) => ['', '&status=draft', '&status=all'].map((status) => `${query}${status}`))
  // v1, v2 and the SDK API.
  const requests = [`/v1/${workspace}`, '/v2', '/v1'].flatMap((root) =>
    [...queries, ...documentKinds].map((each) => `${root}/${each}`),
  )
  const files = names.map((name) => `${versionRoots.v2}/${path}/${name}.json`)
  return [...requests, ...files.flatMap(fileTargets)]
}

/** Deployment files that contain more than one response. */
const sharedFiles = ['manifest.json', 'deployment.json', 'wrangler.jsonc', 'root.json']

/** Returns targets under which a host could serve a file of the output folder, or its response, by mistake. */
function fileTargets(path: string): readonly string[] {
  const [first, ...rest] = path.split('/').map(encodeURIComponent)
  const below = rest.map((name) => `/${name}`).join('')
  const roots = ['', '/dist', '/public', '/static', '/assets']
  const plain = roots.map((root) => `${root}/${first}${below}`)
  if (below === '') return plain.flatMap(spellings)
  // The paths if `private` is the root of the host or was copied over `public`; and the requests of v1, v2 and the SDK.
  const inside = [below, below.replace(/^\/v2/, '/v1')]
  const open = inside.map((each) => each.replace(/(?:\/index)?\.json$/, ''))
  const keyed = open.map((each) => each.replace(/^(\/v\d)\/[^/]+/, '$1'))
  return [...plain, ...inside, ...open, ...keyed].flatMap(spellings)
}

/** F is the first segment of a target, H the same encoded, D encoded twice, U in upper case; T is the rest, E its end encoded. */
const forms =
  String.raw`/F/T /F/T/ /F/T. /F/T.json /F/T%20 /F/T%00 /F/T%00.json /F/T;a=b /F/T? /F/T?page=1 /F/T#x
  /F/T~ /F/T/. /F/T?status=draft /F/T?status=all /F/T?format=markdown&include=neighbours,related /F/E /F%2fT
  /F%252fT /F//T /F\T /F%5cT /F/./T //F/T /./F/T /v1/../F/T /v1/%2e%2e/F/T /v1/acme/posts/..;/../../../F/T
  /H/T /D/T /U/T /v1/.%2e/F/x/..%2fT /v1/..%2fF/T`.split(/\s+/)

/** Returns a target in every spelling. */
function spellings(target: string): readonly string[] {
  const [, F = '', ...rest] = target.split('/')
  const E = [...rest.slice(0, -1), encodeAll(rest.at(-1) ?? '')].join('/')
  const H = encodeAll(F)
  const D = H.replaceAll('%', '%25')
  const parts = new Map(Object.entries({ F, T: rest.join('/'), E, H, D, U: F.toUpperCase() }))
  return forms.map((form) => form.replace(/[FTEHDU]/g, (part) => parts.get(part) ?? ''))
}

function encodeAll(text: string): string {
  return Buffer.from(decodeURIComponent(text)).toString('hex').replace(/../g, '%$&')
}
