// `quarry keys`: what it prints, and what it writes to keys.yml.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const [a, b, c] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const create = ['keys', 'create', '--workspace', 'acme']
const revoke = ['keys', 'revoke', '--workspace', 'acme']

function keysFile(site: TemporarySite): string {
  return readFileSync(join(site.content, 'acme/keys.yml'), 'utf8')
}

async function listed(site: TemporarySite, ...flags: readonly string[]) {
  const { stdout } = await call(site.folder, ['keys', 'list', '--json', ...flags])
  return JSON.parse(stdout).keys
}

describe('quarry keys create', () => {
  it('prints the key once, and leaves only its hash, also after a build', async () => {
    const site = temporarySite().post('first')
    const { exitCode, stdout, stderr } = await call(site.folder, [...create, '--name', 'Web site'])
    const key = stdout.trimEnd()
    expect([exitCode, isKey(key), stdout]).toEqual([0, true, `${key}\n`])
    expect(keysFile(site)).toMatch(
      new RegExp(
        `^(# .+\n){2}\n- id: [a-z2-7]{8}\n  name: "Web site"\n  sha256: ${hash('sha256', key)}\n  scopes: \\[posts:read, categories:read, tags:read, authors:read, collections:read\\]\n  created: \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\n$`,
      ),
    )
    const built = await call(site.folder, ['build'])
    const files = readdirSync(site.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    for (const text of [stderr, built.stdout, built.stderr, ...files])
      expect(text).not.toContain(key.slice(3, 20))
  })

  it.each(['\n', '\r\n'])('keeps comments, order, text and the line ends %j', async (end) => {
    const text = `# Ours\n\n- id: 007 # the first\n  name: no\n  sha256: ${a}\n  created: 2026-01-02\n\n# Another\n- {id: x, name: 'X', sha256: ${b}, created: 2026-01-02T03:04Z}\n`
    const before = text.replaceAll('\n', end)
    const site = temporarySite().write('content/acme/keys.yml', before)
    await call(site.folder, create)
    expect(keysFile(site).startsWith(before)).toBe(true)
    expect(keysFile(site).split('\n')).toHaveLength(keysFile(site).split(end).length)
    const ids = (await listed(site)).map(({ id }: { id: string }) => id)
    expect(ids).toEqual(['007', 'x', expect.stringMatching(/^[a-z2-7]{8}$/)])
  })

  it('loses none of several keys that are created at the same time', async () => {
    const site = temporarySite()
    const runs = await Promise.all([1, 2, 3].map(() => run(site.folder, create)))
    for (const { exitCode, stdout } of runs) {
      expect(exitCode).toBe(0)
      expect(keysFile(site)).toContain(hash('sha256', stdout.trimEnd()))
    }
    const left = readdirSync(join(site.content, 'acme')).sort()
    expect(left).toEqual(['categories', 'keys.yml', 'workspace.yml'])
  })

  it('reports errors of the file with its path from the working folder', async () => {
    const site = temporarySite().write('content/acme/keys.yml', '- id: x\n')
    for (const words of [create, ['keys', 'list']])
      expect((await call(site.folder, words)).stderr).toContain('content/acme/keys.yml:1:')
  })

  it('writes through no link', async () => {
    const site = temporarySite().write('outside.yml', '[]\n')
    symlinkSync('../../outside.yml', join(site.content, 'acme/keys.yml'))
    mkdirSync(join(site.folder, 'elsewhere'))
    symlinkSync('../elsewhere', join(site.content, 'linked'))
    expect((await call(site.folder, create)).exitCode).toBe(1)
    const linked = await call(site.folder, ['keys', 'create', '--workspace', 'linked'])
    expect(linked.exitCode).toBe(2)
    expect(readFileSync(join(site.folder, 'outside.yml'), 'utf8')).toBe('[]\n')
    expect(readdirSync(join(site.folder, 'elsewhere'))).toEqual([])
  })

  it.each([
    [['--workspace', '../acme'], 'There is no workspace'],
    [['--name', ' '], 'It must not be empty'],
    [['--name', 'a\nb'], '--name must be 1 to 100 characters'],
    [['--scopes', 'post:read'], '"post:read" is not a scope. Did you mean "posts:read"?'],
    [['--expires', '2020-01-01'], '2020-01-01T00:00:00.000Z, which is in the past'],
  ])('writes nothing for wrong use: %j', async (flags, reason) => {
    const site = temporarySite()
    const { exitCode, stderr } = await call(site.folder, [...create, ...flags])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)])
    expect(existsSync(join(site.content, 'acme/keys.yml'))).toBe(false)
  })
})

const keys = `# Ours\n- id: k1 # the first\n  name: Web\n  sha256: ${a}\n  created: 2026-01-02\n- {id: k2, name: Twice, sha256: ${b}, created: 2026-01-02}\n- {id: k3, name: Twice, sha256: ${c}, created: 2026-01-02}\n`

it.each(['Web', 'k1'])(
  'quarry keys revoke marks a key by its name or id, once: %s',
  async (target) => {
    const site = temporarySite().write('content/acme/keys.yml', keys)
    const { stdout } = await call(site.folder, [...revoke, target])
    expect(stdout).toContain(`QUARRY_KEYS='!${a}'`)
    const after = keysFile(site)
    expect(after).toMatch(/^# Ours\n- id: k1 # the first\n(.*\n){3} {2}revoked: \d{4}.+Z\n- \{id/)
    expect((await call(site.folder, [...revoke, target])).stdout).toContain('already')
    expect(keysFile(site)).toBe(after)
  },
)
