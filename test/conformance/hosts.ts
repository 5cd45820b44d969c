// Real hosts, each with the deployment of its example: the site of the black box, built by the command.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostName } from '../../src/config/names.ts'
import { run, serve } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { bunProgram, denoProgram, provideHostPackages } from '../support/host-packages.ts'
import { startNginx } from '../support/nginx.ts'
import { freePort, startProgram } from '../support/process.ts'
import { writeSample } from '../support/sample-site.ts'

const root = join(import.meta.dirname, '../..')

/** A host that listens at an address; its rate limit is off, and agents are on. */
export interface RealHost {
  readonly url: string
  /** The example's. */
  readonly folder: string
  /** The function's files. */
  readonly files: string
  /** Starts the function again, so that it knows no byte of its files. */
  restart(): Promise<void>
  /** Ends the function; files that the host serves by itself stay. */
  stopFunction(): Promise<void>
}

/** Copies a host's example, writes the sample and a workspace of long posts into it, and builds it with drafts. */
export async function deployExample(host: HostName | 'nginx'): Promise<string> {
  // Deno reads nothing below `/dev`, where other tests have their files.
  const folder = emptyFolder({}, '/tmp')
  cpSync(join(root, 'examples', host), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/quarry'))
  // The example's content is that of the repository.
  const config = join(folder, 'quarry.config.ts')
  const text = readFileSync(config, 'utf8')
  writeSample(folder)
  rmSync(join(folder, 'quarry.config.json'))
  writeFileSync(config, text.replace("content: '../../content'", 'changes: true'))
  mkdirSync(join(folder, 'content/long/posts'), { recursive: true })
  writeFileSync(join(folder, 'content/long/workspace.yml'), 'references: create\n')
  for (const name of ['one', 'two', 'three']) {
    const head = `---\ntitle: ${name}\ncategory: news\npublishedAt: 2026-01-02\n---\n`
    const post = join(folder, `content/long/posts/${name}.md`)
    writeFileSync(post, head + `${name} `.repeat(120_000))
  }
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [, ...words] = (scripts.build as string).split(' ')
  const built = await run(folder, [...words, '--drafts'], { QUARRY_WORKERS: '1' })
  if (built.exitCode !== 0) throw new Error(`${host}: the build failed: ${built.stderr}`)
  return folder
}

/** Of every server here. */
export const settings = { QUARRY_RATE_LIMIT: 'off', QUARRY_MCP: 'on', NO_COLOR: '1', CI: 'true' }

/** workerd with Cloudflare's own asset server, as wrangler starts them from `wrangler.jsonc`. */
export function openCloudflare(): Promise<RealHost> {
  const wrangler = join(provideHostPackages('wrangler'), 'wrangler/bin/wrangler.js')
  return openProgram('cloudflare', 'assets', (port, folder) => [
    process.execPath,
    [
      ...[wrangler, 'dev', '--local', '--ip', '127.0.0.1', '--port', String(port)],
      ...['--config', 'deploy/cloudflare/wrangler.jsonc', '--persist-to', join(folder, '.workerd')],
      ...['--var', 'QUARRY_RATE_LIMIT:off', '--var', 'QUARRY_MCP:on'],
      ...['--show-interactive-dev-session=false'],
    ],
    {
      cwd: folder,
      environment: { ...settings, WRANGLER_SEND_METRICS: 'false' },
      ready: /Ready on/,
    },
  ])
}

/** `deno serve`, with the rights that `deno task start` gives it. */
export function openDeno(): Promise<RealHost> {
  const deno = denoProgram()
  return openProgram('deno', 'function', (port, folder) => [
    deno,
    [
      ...['serve', '--allow-read=.', '--allow-env=QUARRY_KEYS,QUARRY_RATE_LIMIT,QUARRY_MCP'],
      ...['--no-config', '--host', '127.0.0.1', '--port', String(port), 'main.js'],
    ],
    { cwd: join(folder, 'deploy/deno'), environment: settings, ready: /Listening on/ },
  ])
}

/** `bun run`, on the module's own export. */
export function openBun(): Promise<RealHost> {
  const bun = bunProgram()
  return openProgram('bun', 'function', (port, folder) => [
    bun,
    ['run', 'main.js'],
    {
      cwd: join(folder, 'deploy/bun'),
      environment: { ...settings, PORT: String(port), HOST: '127.0.0.1' },
      ready: /Started .*server/,
    },
  ])
}

type Program = (port: number, folder: string) => Parameters<typeof startProgram>

/** @param files folder of the function's files in the deployment */
async function openProgram(host: HostName, files: string, program: Program): Promise<RealHost> {
  const folder = await deployExample(host)
  const port = await freePort()
  const start = () => {
    const [command, words, options] = program(port, folder)
    return startProgram(command, words, { ...options, isShared: true })
  }
  let running = await start()
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    files: join(folder, 'deploy', host, files),
    restart: async () => {
      await running.stop()
      running = await start()
    },
    stopFunction: () => running.stop(),
  }
}

/** nginx with the configuration of its example, which has lists of `notes` and `long`, in front of `quarry serve`. */
export async function openNginx(): Promise<RealHost> {
  const folder = await deployExample('nginx')
  const served = await serve(folder, { ...settings, QUARRY_TRUSTED_PROXIES: '1' })
  const port = await freePort()
  const text = readFileSync(join(folder, 'quarry.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:4321', served.url.replace('http://', ''))
    .replaceAll('/var/www/quarry', join(folder, 'dist/public'))
    .replace('# blog "";', 'notes ""; long "";')
  await startNginx(text, port)
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    files: join(folder, 'dist/function'),
    restart: async () => {},
    stopFunction: async () => void (await served.close()),
  }
}
