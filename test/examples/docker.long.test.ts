// The files of examples/docker in a project of `quarry init`: each step of the Dockerfile runs, then its containers do.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { type Container, startContainer } from '../support/container.ts'
import { folderBytes, openToAll, runDockerfile, type Stage } from '../support/dockerfile.ts'
import { provideNginx, startNginx } from '../support/nginx.ts'
import { installInto, packPackage } from '../support/packed.ts'
import { freePort } from '../support/process.ts'
import { provideRedis, RedisServer } from '../support/redis-server.ts'

/** A part of compose.yaml. */
interface Service {
  readonly image?: string
  readonly build?: { readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly networks?: readonly string[]
  readonly deploy?: { readonly replicas: number }
  readonly stop_grace_period?: string
}

const example = join(import.meta.dirname, '../../examples/docker')
const compose: { readonly services: Readonly<Record<string, Service>> } = parse(
  readFileSync(join(example, 'compose.yaml'), 'utf8'),
)
const folder = mkdtempSync(join(tmpdir(), 'quarry-docker-'))
const project = join(folder, 'my-site')
/** A post of the template. */
const hello: unknown = expect.objectContaining({ slug: 'hello' })
let stages: ReadonlyMap<string, Stage>

beforeAll(() => {
  openToAll(folder)
  const packed = join(folder, 'packed')
  const tarball = packPackage('quarry', packed)
  installInto(packed, [tarball])
  execFileSync('npx', ['quarry', 'init', project, '--yes'], { cwd: packed, stdio: 'pipe' })
  installInto(project, ['--package-lock-only', 'ioredis@6', 'rate-limiter-flexible@11'])
  cpSync(example, project, { recursive: true })
  cpSync(join(example, '../nginx/quarry.conf'), join(project, 'quarry.conf'))
  // Files that an image must not have.
  for (const name of ['.env', 'node_modules/planted.js', 'dist/planted.json']) {
    mkdirSync(join(project, name, '..'), { recursive: true })
    writeFileSync(join(project, name), 'planted')
  }
  const environment = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
  const run = runDockerfile({ context: project, stages: join(folder, 'stages'), environment })
  stages = new Map(run.map((stage) => [stage.name, stage]))
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function stage(name: string): Stage {
  const found = stages.get(name)
  if (found === undefined) throw new Error(`There is no stage ${name}`)
  return found
}

/** The server of a container, until the test ends. */
async function startServer(changes: Readonly<Record<string, string>> = {}): Promise<Container> {
  const container = await startContainer(stage('server'), changes)
  onTestFinished(async () => void (await container.stop('SIGKILL')))
  return container
}

describe('the Dockerfile', () => {
  it('ends with the server, whose user is not root', () => {
    expect([...stages.keys()].at(-1)).toBe('server')
    expect(stage('server').user).toBe('node')
    expect(stage('server').environment['QUARRY_HOST']).toBe('0.0.0.0')
  })

  it('adds less than 80 MB to the image of Node', () => {
    const bytes = folderBytes(stage('server').folder)
    expect(bytes).toBeGreaterThan(1e6)
    expect(bytes).toBeLessThan(80e6)
  })

  it('gives the server no content, no precomputed response and no file of the machine', () => {
    const files = fastGlob.sync(['*', 'dist/*', 'dist/public/*', '**/*planted*', '**/.env'], {
      cwd: join(stage('server').folder, 'server'),
      onlyFiles: false,
      dot: true,
    })
    const expected = ['dist', 'dist/function', 'dist/manifest.json', 'dist/public', 'node_modules']
    expect(files).toEqual(expect.arrayContaining(expected))
    expect(files.filter((path) => /planted|\.env|content|\/v1|private/.test(path))).toEqual([])
    expect(existing('build', '**/*planted*')).toEqual([])
    expect(existing('web', '**/*planted*')).toEqual([])
  })

  it('serves every request of v1 and v2, and its health check follows the server', async () => {
    const { stop, url, isHealthy } = await startServer()
    const list = await fetch(`${url}/v1/my-site/posts`)
    expect(list.status).toBe(200)
    expect(await list.json()).toMatchObject({ posts: expect.arrayContaining([hello]) })
    expect((await fetch(`${url}/v1/my-site/posts?query=footnotes`)).status).toBe(200)
    expect((await fetch(`${url}/v1/my-site/posts/hello`)).status).toBe(200)
    expect((await fetch(`${url}/v2/posts`)).status).toBe(401)
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(isHealthy()).toBe(true)
    await stop('SIGKILL')
    expect(isHealthy()).toBe(false)
  })

  it('listens at all addresses', async () => {
    const { port } = await startServer()
    // 127.0.0.2 is no address of a server at 127.0.0.1.
    expect((await fetch(`http://127.0.0.2:${port}/status`)).status).toBe(200)
  })

  it('completes a response that is under way after SIGTERM, and ends by itself', async () => {
    const { stop, url } = await startServer()
    const response = await fetch(`${url}/v1/my-site/posts?limit=all`)
    const ended = stop('SIGTERM')
    expect(await response.json()).toMatchObject({ posts: expect.arrayContaining([hello]) })
    expect(await ended).toBe(0)
  })
})

describe('compose.yaml', () => {
  it('builds stages of the Dockerfile, and only nginx has a port', () => {
    const { nginx, quarry, redis, ...others } = compose.services
    expect(Object.keys(others)).toEqual([])
    expect(stages.has(nginx?.build?.target ?? '')).toBe(true)
    expect(stages.has(quarry?.build?.target ?? '')).toBe(true)
    expect(nginx?.ports).toEqual(['8080:80'])
    expect([quarry?.ports, redis?.ports]).toEqual([undefined, undefined])
  })

  it('lets only the server reach Redis', () => {
    const { nginx, quarry, redis } = compose.services
    expect(redis?.networks?.every((name) => quarry?.networks?.includes(name))).toBe(true)
    expect(redis?.networks?.some((name) => nginx?.networks?.includes(name))).toBe(false)
    expect(nginx?.networks?.some((name) => quarry?.networks?.includes(name))).toBe(true)
  })

  it('gives the server longer to end than it takes at most', () => {
    expect(
      Number.parseInt(compose.services['quarry']?.stop_grace_period ?? '', 10),
    ).toBeGreaterThan(10)
  })
})

describe.skipIf(provideNginx() !== null)('nginx before two servers', () => {
  it('accepts the configuration', async () => {
    const { configuration } = await nginxBefore(['127.0.0.1:9'])
    const path = join(folder, 'nginx.conf')
    const log = `error_log ${join(folder, 'errors.log')};\npid ${join(folder, 'nginx.pid')};\n`
    writeFileSync(path, `${log}events {}\nhttp {\n${configuration}\n}\n`)
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', path], { encoding: 'utf8' })
    expect(stderr).toContain('test is successful')
    expect(status).toBe(0)
  })

  it('gives files itself, and passes other requests on', async () => {
    const first = await startServer(serverEnvironment(''))
    const { configuration, port } = await nginxBefore([first.url.slice('http://'.length)])
    const url = await listenAt(configuration, port)
    const post = await fetch(`${url}/v1/my-site/posts/hello`)
    const direct = await fetch(`${first.url}/v1/my-site/posts/hello`)
    expect(await post.text()).toBe(await direct.text())
    expect((await fetch(`${url}/v1/my-site/posts?tags=git`)).status).toBe(200)
    expect((await fetch(`${url}/status`)).status).toBe(200)
    await first.stop('SIGTERM')
    expect((await fetch(`${url}/v1/my-site/posts/hello`)).status).toBe(200)
    expect((await fetch(`${url}/v1/my-site/posts?tags=git`)).status).toBe(500)
  })

  it.skipIf(provideRedis() !== null)('shares a rate limit between the servers', async () => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.remove())
    const environment = { ...serverEnvironment(redis.url), QUARRY_RATE_LIMIT: '4/60' }
    const servers = [await startServer(environment), await startServer(environment)]
    const { configuration, port } = await nginxBefore(
      servers.map(({ url }) => url.slice('http://'.length)),
    )
    const url = await listenAt(configuration, port)
    const statuses: number[] = []
    for (let count = 0; count < 6; count++)
      statuses.push((await fetch(`${url}/v1/my-site/posts?tags=git`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    // A client has one limit at both, by the address that nginx adds and not by one that it sends.
    for (const server of servers) {
      const forged = { headers: { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' } }
      expect((await fetch(`${server.url}/v1/my-site/posts?tags=git`, forged)).status).toBe(429)
    }
  })
})

/** Paths of a stage that match a pattern. */
function existing(name: string, pattern: string): readonly string[] {
  return fastGlob.sync(pattern, { cwd: stage(name).folder, dot: true })
}

/** The environment of compose.yaml with its defaults, and a Redis of this machine. */
function serverEnvironment(redisUrl: string): Readonly<Record<string, string>> {
  const { environment = {}, deploy } = compose.services['quarry'] ?? {}
  expect(deploy?.replicas).toBe(2)
  expect(environment['QUARRY_REDIS_URL']).toBe('redis://redis:6379')
  const defaults = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
  ])
  return { ...Object.fromEntries(defaults), QUARRY_REDIS_URL: redisUrl }
}

/** The configuration of the image with servers and paths of this machine. */
async function nginxBefore(servers: readonly string[]) {
  const port = await freePort()
  const web = stage('web').folder
  const written = readFileSync(join(web, 'etc/nginx/conf.d/default.conf'), 'utf8')
  expect(written).toContain('server quarry:4321;')
  const configuration = written
    .replace('server quarry:4321;', servers.map((server) => `server ${server};`).join('\n'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll('/var/www/quarry', join(web, 'var/www/quarry'))
  return { configuration, port }
}

async function listenAt(configuration: string, port: number): Promise<string> {
  const nginx = await startNginx(configuration, port)
  onTestFinished(() => nginx.stop())
  return `http://127.0.0.1:${port}`
}
