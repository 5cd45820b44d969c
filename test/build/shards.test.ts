// A build on several machines: each renders a part, and the build that finds all their caches gives the same bytes.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const posts = 70
const now = ['--now', '2027-01-01T00:00:00Z']

/** The same site on another machine: its content, and nothing that was built. */
function machine(): TemporarySite {
  const site = temporarySite()
  for (let post = 0; post < posts; post++) site.post(`post-${post}`, {}, `Body ${post}.\n`)
  return site
}

/** What `quarry build --json` prints, with the cache in its usual place. */
async function buildJson(site: TemporarySite, ...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await run(site.folder, ['build', '--json', ...args])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

const cacheOf = (site: TemporarySite) => join(site.folder, 'node_modules/.cache/quarry')

describe('quarry build --shard', () => {
  it('renders each body on one machine, and the last build renders none', async () => {
    const last = machine()
    const rendered: number[] = []
    for (const shard of ['1/3', '2/3', '3/3']) {
      const site = machine()
      const result = await buildJson(site, '--shard', shard)
      expect(result).toEqual({ shard, rendered: expect.any(Number), warnings: 0 })
      expect(existsSync(site.out)).toBe(false)
      rendered.push(result.rendered)
      expect(await buildJson(site, '--shard', shard)).toMatchObject({ rendered: 0 })
      cpSync(cacheOf(site), cacheOf(last), { recursive: true })
    }
    expect(Math.min(...rendered)).toBeGreaterThan(0)
    expect(rendered.reduce((sum, count) => sum + count)).toBe(posts)
    expect(await buildJson(last, ...now)).toMatchObject({ rendered: 0 })
    const alone = machine()
    expect(await buildJson(alone, ...now)).toMatchObject({ rendered: posts })
    expect(last.json('manifest.json')).toEqual(alone.json('manifest.json'))
  })

  it('reports the problems of its part alone', async () => {
    const site = machine().post('broken', {}, '![An image](missing.png)\n\n<div>\n')
    site.write('content/acme/posts/unread.md', '---\ntitle: Unread\n')
    const codes: number[] = []
    for (const shard of ['1/3', '2/3', '3/3']) {
      const { exitCode, stderr } = await call(site.folder, ['build', '--shard', shard])
      codes.push(exitCode ?? -1)
      if (exitCode === 1) expect(stderr).toContain('acme/posts/unread.md:1')
    }
    expect(codes.toSorted()).toEqual([0, 0, 1])
  })

  it.each([
    ['0/3', /part of several, such as 2\/3/],
    ['4/3', /part of several, such as 2\/3/],
    ['a', /part of several, such as 2\/3/],
  ])('refuses %s', async (shard, message) => {
    const { exitCode, stderr } = await call(machine().folder, ['build', '--shard', shard])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('refuses to go without a cache, or with what only a whole build does', async () => {
    const site = machine()
    for (const flag of ['--no-cache', '--force', '--for=static']) {
      const { exitCode, stderr } = await call(site.folder, ['build', '--shard', '1/2', flag])
      expect(exitCode, flag).toBe(2)
      expect(stderr, flag).toMatch(/--shard/)
    }
  })
})

describe('the workflow of the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/deploying.md'), 'utf8')
  const [, text = ''] = /### On several machines[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const { jobs } = parse(text)

  /** Runs the steps of a job; artifacts are folders. */
  async function runJob(steps: readonly Step[], artifacts: Map<string, string>, shard = '') {
    const site = machine()
    for (const step of steps) await runStep(site, step, artifacts, shard)
    return site
  }

  async function runStep(
    site: TemporarySite,
    { run: command = '', uses = '', with: settings = {} }: Step,
    artifacts: Map<string, string>,
    shard: string,
  ) {
    const filled = (value = '') => value.replace(/\$\{\{ matrix\.shard \}\}/, shard)
    const path = join(site.folder, settings['path'] ?? '')
    if (command.startsWith('npx quarry ')) await runQuarry(site, filled(command))
    if (uses.startsWith('actions/upload-artifact@')) {
      expect(settings['include-hidden-files']).toBe(true)
      artifacts.set(filled(settings['name']), path)
    }
    if (uses.startsWith('actions/download-artifact@')) {
      expect(settings).toMatchObject({ pattern: 'cache-*', 'merge-multiple': true })
      for (const from of artifacts.values()) cpSync(from, path, { recursive: true })
    }
  }

  async function runQuarry(site: TemporarySite, command: string) {
    const { exitCode, stderr } = await call(site.folder, command.split(' ').slice(2))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  }

  it('builds what one machine builds', async () => {
    const artifacts = new Map<string, string>()
    const { shard } = jobs.render.strategy.matrix
    for (const one of shard) await runJob(jobs.render.steps, artifacts, String(one))
    expect([...artifacts.keys()]).toEqual(['cache-1', 'cache-2', 'cache-3'])
    expect(jobs.build.needs).toBe('render')
    const site = await runJob(jobs.build.steps, artifacts)
    const alone = machine()
    await buildJson(alone)
    expect(site.json('manifest.json')).toEqual(alone.json('manifest.json'))
  })
})

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
}
