// `quarry doctor`: checks a running deployment, and requests everything that it must not serve.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { UseError } from '../config.ts'
import type { Manifest } from '../emit/manifest.ts'
import { keyringOf } from '../runtime/keyrings.ts'
import { type KeyFlags, readApiKey } from './api-key.ts'
import { readManifest } from './built-manifest.ts'
import { type Check, checkDeployment } from './doctor/checks.ts'
import { type Client, createClient } from './doctor/client.ts'
import { draftsOf } from './doctor/drafts.ts'
import { type Leak, type ProbeOptions, type ProbeReport, probe } from './doctor/probe.ts'
import { exitCodes } from './failures.ts'
import { openBuild } from './open-build.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { plural } from './report.ts'
import { type Terminal, terminalOf } from './terminal.ts'

/** The flags of `quarry doctor`. */
export interface DoctorFlags extends CommonFlags, KeyFlags {
  /** URL of the deployment. */
  readonly probe: URL
  /** Maximum number of private files to request. */
  readonly files?: number
}

/** Maximum number of concurrent requests. */
const connections = 16

/** Maximum number of printed leaks; the others are counted. */
const leaksShown = 20

/** Checks and probes; exits with 1 on any finding. */
export async function runDoctor(flags: DoctorFlags): Promise<void> {
  const settings = await readSettings(flags)
  const manifest = readManifest(resolve(settings.out))
  const key = (await readApiKey(flags)) ?? undefined
  const built = await readBuilt(resolve(settings.out), key)
  const client = createClient(flags.probe, connections)
  try {
    await requireResponse(client, flags.probe)
    const checks = await checkDeployment({ client, manifest, key, now: Date.now() })
    const keyWorkspace = key === undefined ? undefined : await workspaceOf(client, key, manifest)
    const keyed = { ...built, key, keyWorkspace }
    const report = await probe({ ...keyed, client, manifest, filesMax: flags.files, connections })
    const terminal = terminalOf(process.env, process.stdout)
    process.stdout.write(`${describe(checks, report, terminal)}\n`)
    const isWell = report.leaks.length === 0 && checks.every(({ finding }) => finding === null)
    if (!isWell) process.exitCode = exitCodes.content
  } finally {
    client.close()
  }
}

/** Returns the drafts of the build, and whether the key may read those of its workspace. */
async function readBuilt(
  out: string,
  key: string | undefined,
): Promise<Pick<ProbeOptions, 'drafts' | 'keyReadsDrafts'>> {
  const live = await openBuild(out, {})
  try {
    const site = live.current()
    const keyring = keyringOf(process.env['QUARRY_KEYS'])(site)
    const apiKey = keyring.find(`Bearer ${key}`, Date.now())
    const keyReadsDrafts = apiKey?.scopes.includes('drafts:read') === true
    return { drafts: await draftsOf(site), keyReadsDrafts }
  } finally {
    live.close()
  }
}

async function requireResponse(client: Client, { href }: URL): Promise<void> {
  try {
    await client.send('/status')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UseError(`No response from ${href}: ${reason}`)
  }
}

/** Returns the workspace of a key: the one whose list it gets. */
async function workspaceOf(client: Client, key: string, manifest: Manifest): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const { text } = await client.send('/v2/posts', { headers })
  const sha256 = createHash('sha256').update(text).digest('hex')
  const found = Object.keys(manifest.workspaces).find(
    (id) => manifest.files.get(`private/v2/${id}/posts/index.json`)?.sha256 === sha256,
  )
  if (found !== undefined) return found
  throw new UseError('The key opens none of the workspaces as they are built here.')
}

function describe(checks: readonly Check[], report: ProbeReport, terminal: Terminal): string {
  const { files, drafts, requests, leaks } = report
  const found = checks.filter(({ finding }) => finding !== null).length
  const shown = leaks.slice(0, leaksShown).map((leak) => describeLeak(leak, terminal))
  const more = leaks.length - shown.length
  return [
    ...checks.map(({ name, finding }) =>
      finding === null
        ? `  ${terminal.green('ok')} ${name}`
        : `  ${terminal.red('finding')} ${name}: ${finding}`,
    ),
    ...shown,
    ...(more > 0 ? [`  … and ${plural(more, 'more leak')}`] : []),
    `Probed ${plural(files, 'private file')} and ${plural(drafts, 'draft')} in ${plural(requests, 'request')}: ${plural(leaks.length, 'leak')}. Looked at ${plural(checks.length, 'thing')}: ${plural(found, 'finding')}.`,
  ].join('\n')
}

function describeLeak({ target, status, asker }: Leak, terminal: Terminal): string {
  // A target may contain terminal control sequences.
  const printable = JSON.stringify(target).slice(1, -1)
  return `  ${terminal.red('leak')} ${printable} is a ${status} with ${asker}`
}
