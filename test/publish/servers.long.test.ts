// Three servers behind nginx, as docs/publishing.md shows them: each follows one bucket, and Redis counts for all of them.
import { Agent, get as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provideCeph, type S3Server, startCeph } from '../support/ceph.ts'
import { type Running, run, start } from '../support/command-line.ts'
import { blocksOf, readDocument } from '../support/documented-project.ts'
import { type Nginx, provideNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/process.ts'
import { provideRedis, RedisServer } from '../support/redis-server.ts'
import { TemporarySite } from '../support/temporary-site.ts'

const reason = provideCeph() ?? provideNginx() ?? provideRedis()
const bucket = 's3://site/builds'
const limit = 1500

/** A machine: a follower and a server over one folder. */
class Machine {
  readonly port: number
  readonly #site: TemporarySite
  readonly #environment: Readonly<Record<string, string>>
  #running: readonly Running[] = []

  constructor(site: TemporarySite, port: number, environment: Readonly<Record<string, string>>) {
    this.#site = site
    this.port = port
    this.#environment = environment
  }

  async start(): Promise<void> {
    const out = `copy-${this.port}`
    const { folder } = this.#site
    const first = await run(folder, ['follow', bucket, '--out', out, '--once'], this.#environment)
    expect([first.exitCode, first.stderr]).toEqual([0, ''])
    const words = ['serve', '--out', out, '--port', String(this.port)]
    const server = start(folder, words, this.#environment)
    await server.waitFor(/ at (\S+)/)
    this.#running = [server, start(folder, ['follow', bucket, '--out', out], this.#environment)]
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    for (const running of this.#running) running.stop(signal)
    await Promise.all(this.#running.map(({ ended }) => ended))
    this.#running = []
  }
}

/** The version that a response says. */
function versionOf(body: string): number {
  return Number(/Version (\d+)/.exec(body)?.[1] ?? Number.NaN)
}

/** A request of one connection. */
function ask(agent: Agent, port: number): Promise<{ status: number; version: number }> {
  return new Promise((resolve, reject) => {
    send({ agent, port, host: '127.0.0.1', path: '/v1/acme/posts/post' }, (response) => {
      let body = ''
      response
        .setEncoding('utf8')
        .on('data', (text) => {
          body += text
        })
        .on('end', () => resolve({ status: response.statusCode ?? 0, version: versionOf(body) }))
        .on('error', reject)
    }).on('error', reject)
  })
}

describe.skipIf(reason !== null)('three servers that follow a bucket', () => {
  const site = new TemporarySite().write(
    'content/acme/categories/news.md',
    '---\nname: News\n---\n',
  )
  let ceph: S3Server
  let redis: RedisServer
  let nginx: Nginx
  let front = 0
  const machines: Machine[] = []

  const publish = async (version: number) => {
    await site.post('post', {}, `Version ${version}\n`).build()
    const words = ['publish', bucket, '--responses', '--purge', 'urls', '--json']
    const published = await run(site.folder, words, ceph.environment)
    expect([published.exitCode, published.stderr]).toEqual([0, ''])
    return JSON.parse(published.stdout)
  }

  const versionAt = async (port: number) =>
    versionOf(await (await fetch(`http://127.0.0.1:${port}/v1/acme/posts/post`)).text())

  const reaches = async (version: number, ports: readonly number[]) => {
    const started = performance.now()
    for (const port of ports) while ((await versionAt(port)) !== version) await pause(50)
    return ((performance.now() - started) / 1000).toFixed(1)
  }

  beforeAll(async () => {
    ceph = await startCeph()
    await ceph.createBucket('site')
    redis = await RedisServer.start()
    await publish(1)
    const environment = {
      ...ceph.environment,
      QUARRY_REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      QUARRY_TRUSTED_PROXIES: '1',
      QUARRY_RATE_LIMIT: `${limit}/60`,
    }
    front = await freePort()
    for (let count = 0; count < 3; count++) {
      machines.push(new Machine(site, await freePort(), environment))
    }
    for (const machine of machines) await machine.start()
    const [documented = ''] = blocksOf(readDocument('publishing.md'), 'nginx')
    const http = machines.reduce(
      (text, { port }, index) => text.replace(`10.0.0.${index + 1}:4321`, `127.0.0.1:${port}`),
      documented.replace('listen 80;', `listen 127.0.0.1:${front};`),
    )
    expect(http).not.toContain('10.0.0.')
    nginx = await startNginx(http, front)
  }, 180_000)

  afterAll(async () => {
    await nginx?.stop()
    await Promise.all(machines.map((machine) => machine.stop('SIGKILL')))
    await redis?.remove()
    await ceph?.stop()
    site.remove('.')
  })

  it('serve each build in order on a connection, also when one is killed and comes back', async () => {
    const ports = machines.map(({ port }) => port)
    const [killed] = machines
    let isOver = false
    let requests = 0
    const wrong: string[] = []
    const clients = Array.from({ length: 6 }, async (_, client) => {
      // One connection; a machine that dies ends none, because nginx asks another one.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      let last = 0
      while (!isOver) {
        const { status, version } = await ask(agent, front)
        requests++
        if (status !== 200 || !(version >= last))
          wrong.push(`${client}: ${status}, ${last} → ${version}`)
        last = version
        await pause(100)
      }
      agent.destroy()
      return last
    })
    const times: string[] = []
    for (const version of [2, 3]) {
      const { urls } = await publish(version)
      expect(urls).toContain('/v1/acme/posts/post')
      times.push(await reaches(version, ports))
    }
    await killed?.stop('SIGKILL')
    await publish(4)
    times.push(await reaches(4, ports.slice(1)))
    await killed?.start()
    expect(await versionAt(ports[0] ?? 0)).toBe(4)
    // As long as `fail_timeout`: connections go back to the machine then, and not during the next publication.
    await pause(2500)
    await publish(5)
    times.push(await reaches(5, ports))
    await pause(200)
    isOver = true
    expect(await Promise.all(clients)).toEqual(Array(6).fill(5))
    expect(wrong).toEqual([])
    expect(requests).toBeGreaterThan(100)
    process.stdout.write(
      `three servers: ${requests} requests on 6 connections, ${wrong.length} wrong; builds arrived after ${times.join(', ')} s\n`,
    )
  }, 60_000)

  it('count the requests of a client together', async () => {
    const statuses = new Map<number, number>()
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const one = (port: number) =>
      new Promise<void>((resolve, reject) => {
        const headers = { 'x-forwarded-for': '203.0.113.9' }
        send({ agent, port, host: '127.0.0.1', path: '/v1/acme/posts', headers }, (response) => {
          const { statusCode = 0 } = response
          statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
          response.resume().on('end', resolve).on('error', reject)
        }).on('error', reject)
      })
    const requests = machines.flatMap(({ port }) => Array(limit / 3 + 100).fill(port))
    await Promise.all(requests.map(one))
    agent.destroy()
    expect(Object.fromEntries(statuses)).toEqual({ 200: limit, 429: 300 })
  }, 60_000)
})
