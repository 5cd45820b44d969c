// `quarry doctor`: checks a deployment, and requests a sample of what it must not serve, or all of it.
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pMap from 'p-map'
import { UseError } from '../config.ts'
import type { Manifest } from '../emit/manifest.ts'
import { keyringOf } from '../runtime/keys.ts'
import { type KeyFlags, readApiKey } from './api-key.ts'
import { readManifest } from './built-manifest.ts'
import { type ApiResponse, createClient, type Send } from './doctor/client.ts'
import { type Attempt, attempts, draftsOf } from './doctor/probe.ts'
import { exitCodes } from './failures.ts'
import { openBuild } from './open-build.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { formatCount, harmless, plural } from './report.ts'
import { terminalOf } from './terminal.ts'

/** The flags of `quarry doctor`. @param probe probes everything @param files number of private files to probe */
export type DoctorFlags = CommonFlags &
  KeyFlags & { readonly probe?: URL | true; readonly files?: number }

/** Checks and probes; exits with 1 on any finding. */
export async function runDoctor(argument: URL | undefined, flags: DoctorFlags): Promise<void> {
  const url = argument ?? (flags.probe instanceof URL ? flags.probe : undefined)
  if (url === undefined) throw new UseError('Pass the URL of the deployment.')
  const out = resolve((await readSettings(flags)).out)
  const manifest = readManifest(out)
  const secret = await readApiKey(flags)
  const live = await openBuild(out, {})
  const site = live.current()
  const key = keyringOf(process.env['QUARRY_KEYS'])(site).find(`Bearer ${secret}`, Date.now())
  const drafts = await draftsOf(site).finally(() => live.close())
  if (secret !== null && key === null)
    throw new UseError(
      'The key is not valid for this build. Set QUARRY_KEYS as on the host if it is one of those keys.',
    )
  const files = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
  const max = flags.files ?? (flags.probe === undefined ? 2 : Number.POSITIVE_INFINITY)
  const [someFiles, someDrafts] = [spread(files, max), spread(drafts, max)]
  const probe = () => attempts(manifest, someFiles, someDrafts, key, secret)
  let count = 0
  for (const _ of probe()) count += 1
  const part = `${someFiles.length} of ${plural(files.length, 'private file')} and ${someDrafts.length} of ${plural(drafts.length, 'draft')}`
  const more =
    someFiles.length < files.length || someDrafts.length < drafts.length
      ? ' --probe requests all of them.'
      : ''
  const say = (line: string) => process.stdout.write(`${line}\n`)
  say(
    `Sending about ${formatCount(count + 15)} requests to ${url.origin}, for ${part} in every spelling.${more}`,
  )
  const { send, close } = createClient(url, connections)
  try {
    const checks = await check(send, url, manifest, secret)
    const leaks: string[] = []
    let limited = 0
    const inspect = async (attempt: Attempt) => {
      const response = await follow(send, attempt)
      limited += Number(response.status === 429)
      if (!attempt.isLeak(response)) return
      leaks.push(`${harmless(attempt.target)} is a ${response.status} with ${attempt.asker}`)
    }
    await pMap(probe(), inspect, { concurrency: connections })
    const findings = checks.filter(([, finding]) => finding !== '').length
    say(describe(checks, leaks.sort()))
    if (limited > 0)
      say(
        `  ${plural(limited, 'response')} of 429: the rate limit hid what these requests would get.`,
      )
    say(
      `${plural(checks.length, 'check')}: ${plural(findings, 'finding')}. ${plural(count, 'probe')}: ${plural(leaks.length, 'leak')}.`,
    )
    if (leaks.length + findings > 0) process.exitCode = exitCodes.content
  } finally {
    close()
  }
}

function describe(checks: readonly Check[], leaks: readonly string[]): string {
  const { green, red } = terminalOf(process.env, process.stdout)
  const more = leaks.length - leaksShown
  return [
    ...checks.map(([name, finding]) =>
      finding === ''
        ? `  ${green('ok')} ${name}`
        : `  ${red('finding')} ${name}: ${harmless(finding)}`,
    ),
    ...leaks.slice(0, leaksShown).map((leak) => `  ${red('leak')} ${leak}`),
    ...(more > 0 ? [`  … and ${plural(more, 'more leak')}`] : []),
  ].join('\n')
}

/** Maximum number of concurrent requests. */
const connections = 16

/** Maximum number of printed leaks; the others are counted. */
const leaksShown = 20

/** Returns at most `max` items, evenly distributed. */
function spread<T>(all: readonly T[], max: number): readonly T[] {
  const step = Math.max(1, all.length / max)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Follows redirects: the content of their target counts. */
async function follow(send: Send, attempt: Attempt): Promise<ApiResponse> {
  let response = await send(attempt)
  for (let hops = 0; hops < 3 && !attempt.isLeak(response); hops++) {
    const location = response.header('location')
    if (response.status < 300 || response.status > 308 || !location.startsWith('/')) break
    // One leading slash, and no byte that HTTP forbids.
    const target = `/${location.replace(/^\/+/, '')}`.replace(/[^!-~]/gu, encodeURIComponent)
    response = await send({ ...attempt, target })
  }
  return response
}

type Check = readonly [name: string, finding: string]

/** Checks CORS, validators, caching, errors, parameters, the clock and the build. A finding is '' if all is well. */
async function check(send: Send, { href }: URL, manifest: Manifest, secret: string | null) {
  const get = async (target: string, headers = {}, method = 'GET'): Promise<ApiResponse> => {
    const response = await send({ target, headers, method })
    if (response.status !== 429) return response
    await pause(Math.min(Number(response.header('retry-after')) || 1, 60) * 1000)
    return send({ target, headers, method })
  }
  const status = await get('/status').catch((error) => {
    throw new UseError(`No response from ${href}: ${error.message}`)
  })
  const build = parsed(status)?.['build']
  const skew = Math.round(Math.abs(Date.parse(status.header('date')) - Date.now()) / 1000)
  const closed = await get('/v2/posts')
  const checks: Check[] = [
    ['the service responds', is(status, 200)],
    [
      'the deployment has this build',
      build === manifest.build ? '' : `it has ${build}, not ${manifest.build}`,
    ],
    ['the clock is right', skew > 60 ? `it is ${skew} s off, so posts appear early or late` : ''],
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
    const etag = list.header('etag')
    const preflight = await get(
      path,
      { origin: 'https://example.com', 'access-control-request-method': 'GET' },
      'OPTIONS',
    )
    const ascending = await get(`${path}?order=asc`)
    const isSame = (counts?.posts ?? 0) > 1 && ascending.sha256 === list.sha256
    checks.push(
      ['v1 responds', is(list, 200)],
      ['pages of any origin may read v1', has(list, 'access-control-allow-origin', /^\*$/)],
      [
        'preflight requests succeed',
        is(preflight, 204) || has(preflight, 'access-control-allow-origin', /^\*$/),
      ],
      ['responses have an ETag', has(list, 'etag', /./)],
      ['a known ETag is a 304', is(await get(path, { 'if-none-match': etag || '"none"' }), 304)],
      [
        'caches may store v1',
        has(list, 'cache-control', /\bpublic\b/) || has(list, 'cache-control', /max-age=\d/),
      ],
      ['parameters have an effect', isSame ? '?order=asc changes nothing' : ''],
      ['a bad parameter is a 400', isError(await get(`${path}?limit=0`), 400)],
    )
  }
  if (secret !== null) {
    const keyed = await get('/v2/posts', { authorization: `Bearer ${secret}` })
    checks.push(
      ['the key opens v2', is(keyed, 200)],
      [
        'shared caches do not store v2',
        has(keyed, 'cache-control', /\bprivate\b/) || has(keyed, 'vary', /\bauthorization\b/i),
      ],
    )
  }
  return checks
}

function is({ status }: ApiResponse, expected: number): string {
  return status === expected ? '' : `is a ${status}, not a ${expected}`
}

function has(response: ApiResponse, name: string, pattern: RegExp): string {
  const value = response.header(name)
  return pattern.test(value) ? '' : `${name} is "${value}"`
}

function isError(response: ApiResponse, status: number): string {
  const isJson = typeof parsed(response)?.['error'] === 'string'
  return (
    is(response, status) ||
    (isJson ? '' : 'the body is not an error in JSON') ||
    has(response, 'cache-control', /^no-store$/)
  )
}

function parsed({ text }: ApiResponse): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
