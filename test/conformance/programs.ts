// Hosts that are programs of their own: each is given a deployment and listens at an address.
// Knows nothing of what is asked of them.
import { join } from 'node:path'
import type { HostName } from '../../src/config/host-names.ts'
import { bunProgram, denoProgram, provideHostPackages } from '../support/host-packages.ts'
import { freePort, startProgram } from '../support/process.ts'
import { deployExample } from './deployed.ts'
import type { HostUnderTest } from './host.ts'
import { requestAddress } from './hosts.ts'

/** A host with the address at which it listens. */
export interface ListeningHost extends HostUnderTest {
  readonly url: string
  /** The example's folder. */
  readonly folder: string
}

/** Adds to the content folder before the build. */
type AddContent = (content: string) => void

const settings = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on' }

type Program = (port: number, folder: string) => Parameters<typeof startProgram>

/** workerd with Cloudflare's own asset server, as wrangler starts them from `wrangler.jsonc`. */
export async function openCloudflare(addContent?: AddContent): Promise<ListeningHost> {
  const modules = provideHostPackages('wrangler')
  const opened = await openProgram('cloudflare', 'assets', addContent, (port, folder) => [
    process.execPath,
    [
      ...[join(modules, 'wrangler/bin/wrangler.js'), 'dev', '--local', '--port', String(port)],
      ...['--ip', '127.0.0.1', '--config', 'deploy/cloudflare/wrangler.jsonc'],
      ...['--persist-to', join(folder, '.workerd')],
      ...['--var', 'QUARRY_RATE_LIMIT:off', '--var', 'QUARRY_MCP:on'],
      ...['--show-interactive-dev-session=false'],
    ],
    {
      cwd: folder,
      environment: { CI: 'true', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
      ready: /Ready on/,
    },
  ])
  return { ...opened, request: withSecondTry(opened.request) }
}

/**
 * The proxy of `wrangler dev` answers a POST by itself where the worker has closed the connection of the one before, whose
 * body it did not read. It asks for the request again.
 */
function withSecondTry(request: ListeningHost['request']): ListeningHost['request'] {
  return async (path, options) => {
    const response = await request(path, options)
    if (response.status !== 503) return response
    const text = await response.text()
    if (!text.includes('Please try sending the request again.')) throw new Error(text)
    return request(path, options)
  }
}

/** `deno serve`, with the rights that `deno task start` gives it. */
export function openDeno(addContent?: AddContent): Promise<ListeningHost> {
  const deno = denoProgram()
  return openProgram('deno', 'function', addContent, (port, folder) => [
    deno,
    [
      ...['serve', '--allow-read=.', '--allow-env=QUARRY_KEYS,QUARRY_RATE_LIMIT,QUARRY_MCP'],
      ...['--no-config', '--host', '127.0.0.1', '--port', String(port), 'main.js'],
    ],
    {
      cwd: join(folder, 'deploy/deno'),
      environment: { ...settings, NO_COLOR: '1' },
      ready: /Listening on/,
    },
  ])
}

/** `bun run`, on the module's own export. */
export function openBun(addContent?: AddContent): Promise<ListeningHost> {
  const bun = bunProgram()
  return openProgram('bun', 'function', addContent, (port, folder) => [
    bun,
    ['run', 'main.js'],
    {
      cwd: join(folder, 'deploy/bun'),
      environment: { ...settings, PORT: String(port), HOST: '127.0.0.1' },
      ready: /Started .*server/,
    },
  ])
}

/** @param files folder of the function's files in the deployment */
async function openProgram(
  host: HostName,
  files: string,
  addContent: AddContent | undefined,
  program: Program,
): Promise<ListeningHost> {
  const { folder, site, remove } = await deployExample(host, addContent)
  const port = await freePort()
  let running = await startProgram(...program(port, folder))
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    folder,
    site,
    out: join(folder, 'dist'),
    request: requestAddress(url),
    files: {
      folder: join(folder, 'deploy', host, files),
      restart: async () => {
        await running.stop()
        running = await startProgram(...program(port, folder))
      },
    },
    close: async () => {
      await running.stop()
      remove()
    },
  }
}
