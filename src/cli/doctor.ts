// `quarry doctor`: checks a deployment, and requests a sample of what it must not serve, or all of it.
import { once } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { urlToHttpOptions } from 'node:url'
import pMap from 'p-map'
import type { Manifest } from '../build/manifest.ts'
import { UseError } from '../diagnostics.ts'
import { keyringOf } from '../runtime/keys.ts'
import { exitCodes } from './failures.ts'
import { openBuild, readManifest } from './open-build.ts'
import {
  type Answer,
  answerOf,
  createJudge,
  draftsOf,
  follow,
  type Send,
  targetsOf,
} from './probe.ts'
import { type CommonFlags, messageOf, readApiKey, readSettings } from './settings.ts'
import { formatCount, harmless, plural, terminalOf } from './terminal.ts'

/** The flags of `quarry doctor`. @param probe probes everything @param files number of private files to probe */
export type DoctorFlags = CommonFlags &
  Readonly<{ probe?: URL | true; files?: number; keyStdin?: boolean }>

/** Maximum number of concurrent requests. */
const connections = 16
/** Maximum number of printed leaks. */
const leaksShown = 20

/** Checks and probes; exits with 1 on any finding. */
export async function runDoctor(argument: URL | undefined, flags: DoctorFlags): Promise<void> {
  const url = argument ?? (flags.probe instanceof URL ? flags.probe : undefined)
  if (url === undefined) throw new UseError('Pass the URL of the deployment.')
  const out = resolve((await readSettings(flags)).out)
  const manifest = readManifest(out)
  const secret = await readApiKey(flags)
  const live = await openBuild(out)
  const { send, close } = createClient(url)
  try {
    const site = live.current()
    const keyring = keyringOf(process.env['QUARRY_KEYS'])(site)
    const own = keyring.find(`Bearer ${secret}`, Date.now())?.workspace
    if (secret !== null && own === undefined)
      throw new UseError(
        'The key is not valid for this build. If the host has QUARRY_KEYS, set the variable here too.',
      )
    const askers = secret === null ? [undefined] : [undefined, own]
    const all = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
    const drafts = await draftsOf(site)
    const max = flags.files ?? (flags.probe === undefined ? 2 : Number.POSITIVE_INFINITY)
    const [files, some] = [spread(all, max), spread(drafts, max)]
    const targets = targetsOf(files, some)
    const count = targets.length * askers.length
    const part = `${files.length} of ${plural(all.length, 'private file')} and ${some.length} of ${plural(drafts.length, 'draft')}`
    const more = files.length + some.length < all.length + drafts.length
    say(
      `Sending about ${formatCount(count + 15)} requests to ${url.origin}, for ${part} in every spelling.${more ? ' --probe requests all of them.' : ''}`,
    )
    const { checks, isSameBuild } = await check(send, url, manifest, secret)
    const leaks: string[] = []
    let limited = 0
    for (const asker of askers) {
      const isLeak = createJudge(manifest, site, { keyring, own: asker, isSameBuild })
      const headers = asker === undefined ? {} : { authorization: `Bearer ${secret}` }
      const inspect = async (target: string) => {
        const answer = await follow(send, { target, headers })
        limited += Number(answer.status === 429)
        const name = asker === undefined ? 'no key' : 'the key'
        if (await isLeak({ target, headers }, answer))
          leaks.push(`${harmless(target)} is a ${answer.status} with ${name}`)
      }
      await pMap(targets, inspect, { concurrency: connections })
    }
    report(checks, leaks.sort(), { count, limited })
  } finally {
    live.close()
    close()
  }
}

function report(
  checks: readonly Check[],
  leaks: readonly string[],
  { count, limited }: { readonly count: number; readonly limited: number },
): void {
  const { green, red } = terminalOf(process.env, process.stdout)
  for (const [name, finding] of checks)
    say(finding ? `  ${red('finding')} ${name}: ${harmless(finding)}` : `  ${green('ok')} ${name}`)
  for (const leak of leaks.slice(0, leaksShown)) say(`  ${red('leak')} ${leak}`)
  const more = leaks.length - leaksShown
  if (more > 0) say(`  … and ${plural(more, 'more leak')}`)
  const hidden = `${plural(limited, 'response')} had status 429: the rate limit hid what is there.`
  if (limited > 0) say(`  ${hidden}`)
  const findings = checks.filter(([, finding]) => finding !== '').length
  const found = `${plural(checks.length, 'check')}: ${plural(findings, 'finding')}`
  say(`${found}. ${plural(count, 'probe')}: ${plural(leaks.length, 'leak')}.`)
  if (leaks.length + findings > 0) process.exitCode = exitCodes.content
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns at most `max` items, evenly distributed. */
function spread<T>(all: readonly T[], max: number): readonly T[] {
  const step = Math.max(1, all.length / max)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Requests targets exactly as given: `fetch` would normalize them. */
function createClient(base: URL): { readonly send: Send; close(): void } {
  const isSecure = base.protocol === 'https:'
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: connections,
  })
  const sendOnce: Send = async ({ target, method = 'GET', headers }) => {
    const outgoing = (isSecure ? httpsRequest : httpRequest)({
      ...{ ...urlToHttpOptions(base), agent, method, timeout: 20_000 },
      path: `${base.pathname.replace(/\/$/, '')}${target}`,
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in 20 s'))).end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const header = (name: string) => String(incoming.headers[name] ?? '')
    return answerOf(incoming.statusCode ?? 0, await buffer(incoming), header)
  }
  // Once more if there is no response: the host may have just closed an idle connection.
  const send: Send = (asking) => sendOnce(asking).catch(() => sendOnce(asking))
  return { send, close: () => agent.destroy() }
}

type Check = readonly [name: string, finding: string]

/** Checks CORS, validators, caching, errors, parameters, the clock and the build. A finding is '' if all is well. */
async function check(send: Send, { href }: URL, manifest: Manifest, secret: string | null) {
  const get = (target: string, headers = {}, method = 'GET') => send({ target, headers, method })
  const status = await get('/status').catch((error) => {
    throw new UseError(`No response from ${href}: ${messageOf(error)}`)
  })
  const build = parsed(status)?.['build']
  const isSameBuild = build === manifest.build
  const skew = Math.round(Math.abs(Date.parse(status.header('date')) - Date.now()) / 1000)
  const closed = await get('/v2/posts')
  const checks: Check[] = [
    ['the service responds', is(status, 200)],
    ['the deployment has this build', isSameBuild ? '' : `it has ${build}, not ${manifest.build}`],
    ['the clock is right', skew > 60 ? `it is off by ${skew} s: posts appear early or late` : ''],
    ['an unknown path is a 404', isError(await get('/v1/no/such/path/here'), 404)],
    ['a request without a key is a 401', isError(closed, 401)],
    ['the 401 asks for a key', has(closed, 'www-authenticate', /^Bearer$/)],
  ]
  const [id, counts] =
    Object.entries(manifest.workspaces).find(([name]) =>
      manifest.files.has(`public/v1/${name}/posts/index.json`),
    ) ?? []
  if (id !== undefined) {
    const path = `/v1/${encodeURIComponent(id)}/posts`
    const list = await get(path)
    const known = { 'if-none-match': list.header('etag') || '"none"' }
    const cors = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
    const preflight = await get(path, cors, 'OPTIONS')
    const { sha256 } = await get(`${path}?order=asc`)
    const isSame = (counts?.posts ?? 0) > 1 && sha256 === list.sha256
    const anyOrigin = (answer: Answer) => has(answer, 'access-control-allow-origin', /^\*$/)
    checks.push(
      ['v1 responds', is(list, 200)],
      ['pages of any origin may read v1', anyOrigin(list)],
      ['preflight requests succeed', is(preflight, 204) || anyOrigin(preflight)],
      ['responses have an ETag', has(list, 'etag', /./)],
      ['a known ETag is a 304', is(await get(path, known), 304)],
      ['caches may store v1', has(list, 'cache-control', /\bpublic\b|max-age=\d/)],
      ['parameters have an effect', isSame ? '?order=asc changes nothing' : ''],
      ['a bad parameter is a 400', isError(await get(`${path}?limit=0`), 400)],
    )
  }
  if (secret !== null) {
    const keyed = await get('/v2/posts', { authorization: `Bearer ${secret}` })
    const control = has(keyed, 'cache-control', /\bprivate\b/)
    checks.push(
      ['the key opens v2', is(keyed, 200)],
      ['shared caches do not store v2', control || has(keyed, 'vary', /\bauthorization\b/i)],
    )
  }
  return { checks, isSameBuild }
}

function is({ status }: Answer, expected: number): string {
  return status === expected ? '' : `is a ${status}, not a ${expected}`
}

function has(answer: Answer, name: string, pattern: RegExp): string {
  const value = answer.header(name)
  return pattern.test(value) ? '' : `${name} is "${value}"`
}

function isError(answer: Answer, status: number): string {
  const isJson = typeof parsed(answer)?.['error'] === 'string'
  const isStored = has(answer, 'cache-control', /^no-store$/)
  return is(answer, status) || (isJson ? isStored : 'the body is not an error in JSON')
}

function parsed({ body }: Answer): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
