import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKeyring, isKey } from '../../src/runtime/keys.ts'
import { call } from '../support/command-call.ts'
import { run } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const a = 'a'.repeat(64)
const create = ['keys', 'create', '--workspace', 'acme']

function keysFile(site: TemporarySite): string {
  return readFileSync(join(site.content, 'acme/keys.yml'), 'utf8')
}

async function listed(site: TemporarySite) {
  const { stdout } = await call(site.folder, ['keys', 'list', '--json'])
  return JSON.parse(stdout).keys
}

/** Every file below the site's folder as one text. */
function everything(site: TemporarySite): string {
  return readdirSync(site.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('quarry keys create', () => {
  it('prints the key alone, once, and writes its hash alone', async () => {
    const site = temporarySite()
    const { exitCode, stdout, stderr } = await run(site.folder, [...create, '--name', 'Web site'])
    const key = stdout.trimEnd()
    expect({ exitCode, isKey: isKey(key), stdout }).toEqual({
      exitCode: 0,
      isKey: true,
      stdout: `${key}\n`,
    })
    expect(keysFile(site)).toMatch(
      new RegExp(
        `^(# .+\n){2}\n- id: [a-z2-7]{8}\n  name: "Web site"\n  sha256: ${sha256(key)}\n  scopes: \\[posts:read, categories:read, tags:read, authors:read\\]\n  created: \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\n$`,
      ),
    )
    expect(stderr).toContain('Web site')
    expect(stderr).toContain('content/acme/keys.yml')
  })

  it('leaves the key in clear nowhere, also not through a build', async () => {
    const site = temporarySite().post('first')
    const { stdout, stderr } = await call(site.folder, create)
    const built = await call(site.folder, ['build'])
    const more = await call(site.folder, ['keys', 'list', '--json'])
    const secret = stdout.trimEnd().slice(3, 20)
    const texts = [stderr, built.stdout, built.stderr, more.stdout, everything(site)]
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
    expect(built.exitCode).toBe(0)
  })

  it('says what makes a running function take the key at once', async () => {
    const site = temporarySite()
    const args = [...create, '--name', "Ann's, new", '--scopes', 'tags:read,posts:read']
    const { stdout, stderr } = await call(site.folder, [...args, '--expires', '2999-01-01'])
    const entry = /QUARRY_KEYS='(.*)'/.exec(stderr)?.[1] ?? ''
    const keyring = createKeyring([], entry)
    expect(keyring.find(`Bearer ${stdout.trimEnd()}`, Date.now())).toMatchObject({
      workspace: 'acme',
      scopes: ['posts:read', 'tags:read'],
    })
  })

  it('writes limits', async () => {
    const site = temporarySite()
    await call(site.folder, [...create, '--scopes', 'tags:read', '--expires', '2999-01-01'])
    expect(await listed(site)).toMatchObject([
      { scopes: ['tags:read'], expires: '2999-01-01T00:00:00.000Z', state: 'active' },
    ])
  })

  it.each(['- x: "y" # z', 'null', '~', '{{ a }}', 'é 日本 😀', '"quoted"', "it's", '\\n', '007'])(
    'takes any name as it is: %s',
    async (name) => {
      const site = temporarySite()
      await call(site.folder, [...create, `--name=${name}`])
      expect(await listed(site)).toMatchObject([{ name }])
    },
  )

  it('keeps comments, order and what is written there', async () => {
    const before = `# Ours\n\n- id: 007 # the first\n  name: no\n  sha256: ${a}\n  created: 2026-01-02\n\n# Another\n- { id: x, name: 'X', sha256: ${'b'.repeat(64)}, created: 2026-01-02T03:04Z }\n`
    const site = temporarySite().write('content/acme/keys.yml', before)
    await call(site.folder, create)
    expect(keysFile(site).startsWith(before.replaceAll('{ ', '{').replaceAll(' }', '}'))).toBe(true)
    expect((await listed(site)).map(({ id }: { id: string }) => id)).toEqual([
      '007',
      'x',
      expect.stringMatching(/^[a-z2-7]{8}$/),
    ])
  })

  it('keeps the line ends of Windows', async () => {
    const before = `# Ours\r\n- id: x\r\n  name: X\r\n  sha256: ${a}\r\n  created: 2026-01-02\r\n`
    const site = temporarySite().write('content/acme/keys.yml', before)
    await call(site.folder, create)
    expect(keysFile(site)).not.toMatch(/[^\r]\n/)
    expect(await listed(site)).toHaveLength(2)
  })

  it('adds to a file that holds only a comment', async () => {
    const site = temporarySite().write('content/acme/keys.yml', '# Ours\n')
    await call(site.folder, create)
    expect(keysFile(site)).toMatch(/^# Ours\n\n?- id: /)
  })

  it('loses none of several that are made at the same time', async () => {
    const site = temporarySite()
    const names = ['one', 'two', 'three', 'four']
    const runs = await Promise.all(
      names.map((name) => run(site.folder, [...create, '--name', name])),
    )
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    const text = keysFile(site)
    expect(runs.filter(({ stdout }) => !text.includes(sha256(stdout.trimEnd())))).toEqual([])
    expect((await listed(site)).map(({ name }: { name: string }) => name).sort()).toEqual(
      names.sort(),
    )
    expect(readdirSync(join(site.content, 'acme')).sort()).toEqual([
      'categories',
      'keys.yml',
      'workspace.yml',
    ])
  })

  it('takes the lock of a process that died', async () => {
    const site = temporarySite().write('content/acme/.keys.yml.new', 'half')
    const lock = 'acme/.keys.yml.lock'
    // No process of Linux has a number this high.
    site.write(
      `content/${lock}/owner.json`,
      JSON.stringify({ token: 'left', pid: 4_194_999, host: hostname() }),
    )
    expect((await call(site.folder, create)).exitCode).toBe(0)
    expect(await listed(site)).toHaveLength(1)
    expect(existsSync(join(site.content, lock))).toBe(false)
  })

  it.each([
    ['an error', `- id: x\n  name: X\n  sha256: abc\n  created: 2026-01-02\n`, 'invalid-field'],
    ['broken YAML', '- [\n', 'yaml-syntax'],
    ['a key in clear', `- id: qk_${'x'.repeat(49)}\n`, 'key-in-clear'],
  ])('touches no file with %s', async (_, text, code) => {
    const site = temporarySite().write('content/acme/keys.yml', text)
    const { exitCode, stdout, stderr } = await call(site.folder, create)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(code)
    expect(stderr).not.toContain('xxxx')
    expect(keysFile(site)).toBe(text)
    expect(readdirSync(join(site.content, 'acme')).join()).not.toContain('lock')
  })

  it('writes through no link', async () => {
    const site = temporarySite().write('outside.yml', '[]\n')
    symlinkSync('../../outside.yml', join(site.content, 'acme/keys.yml'))
    mkdirSync(join(site.folder, 'elsewhere'))
    symlinkSync('../elsewhere', join(site.content, 'linked'))
    const toLink = await call(site.folder, create)
    const toFolder = await call(site.folder, ['keys', 'create', '--workspace', 'linked'])
    expect([toLink.exitCode, toFolder.exitCode]).toEqual([1, 2])
    expect(readFileSync(join(site.folder, 'outside.yml'), 'utf8')).toBe('[]\n')
    expect(readdirSync(join(site.folder, 'elsewhere'))).toEqual([])
  })

  it.each([
    [['keys', 'create'], "required option '--workspace <id>' not specified"],
    [['keys', 'create', '--workspace', 'acmee'], 'no workspace "acmee". Did you mean "acme"?'],
    [['keys', 'create', '--workspace', '../acme'], 'There is no workspace'],
    [['keys', 'create', '--workspace', '.'], 'There is no workspace'],
    [['keys', 'create', '--workspace='], 'must not be empty'],
    [[...create, '--name', ' '], '--name must be 1 to 100 characters'],
    [[...create, '--name', 'a\nb'], '--name must be 1 to 100 characters'],
    [
      [...create, '--scopes', 'post:read'],
      '"post:read" is not a scope. Did you mean "posts:read"?',
    ],
    [[...create, '--scopes='], 'is not a scope. The scopes are posts:read'],
    [[...create, '--scopes', 'posts:read,'], 'is not a scope'],
    [[...create, '--expires', '2020-01-01'], '2020-01-01T00:00:00.000Z, which is in the past'],
    [[...create, '--expires', 'soon'], 'must be an ISO 8601 date'],
    [[...create, 'extra'], 'too many arguments'],
    [[...create, '--content', 'missing'], 'Expected a content folder at "missing"'],
    [['keys', 'craete'], "unknown command 'craete'"],
    [['keys'], 'Usage: quarry keys'],
  ])('ends with 2, says why and writes nothing: %j', async (args, reason) => {
    const site = temporarySite()
    const { exitCode, stdout, stderr } = await call(site.folder, args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain('    at ')
    expect(existsSync(join(site.content, 'acme/keys.yml'))).toBe(false)
  })

  it.each([
    [...create, '--name', `qk_${'x'.repeat(49)}`],
    ['keys', 'create', '--workspace', `qk_${'x'.repeat(49)}`],
    ['keys', 'revoke', '--workspace', 'acme', `qk_${'x'.repeat(49)}`],
  ])('repeats no key that is given in the wrong place: %j', async (...args) => {
    const { exitCode, stdout, stderr } = await call(temporarySite().folder, args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).not.toContain('xxxx')
  })
})

describe('quarry keys list', () => {
  const keys = [
    `- { id: k1, name: Web, sha256: ${a}, created: 2026-01-02 }`,
    `- { id: k2, name: Old, sha256: ${'b'.repeat(64)}, scopes: [tags:read], created: 2026-01-02, expires: 2026-01-03 }`,
    `- { id: k3, name: Lost, sha256: ${'c'.repeat(64)}, created: 2026-01-02, revoked: 2026-01-04 }`,
    '',
  ].join('\n')

  it('shows a table of all workspaces', async () => {
    const site = temporarySite()
      .write('content/acme/keys.yml', keys)
      .write(
        'content/globex/keys.yml',
        keys.replace(/([abc])\1{63}/g, (hash) => `${hash.slice(1)}0`),
      )
    const { exitCode, stdout, stderr } = await call(site.folder, ['keys', 'list'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(
      [
        'WORKSPACE  ID  NAME  SCOPES     CREATED            EXPIRES            STATE',
        'acme       k1  Web   default    2026-01-02T00:00Z  never              active',
        'acme       k2  Old   tags:read  2026-01-02T00:00Z  2026-01-03T00:00Z  expired',
        'acme       k3  Lost  default    2026-01-02T00:00Z  never              revoked',
        'globex     k1  Web   default    2026-01-02T00:00Z  never              active',
        'globex     k2  Old   tags:read  2026-01-02T00:00Z  2026-01-03T00:00Z  expired',
        'globex     k3  Lost  default    2026-01-02T00:00Z  never              revoked',
        '',
      ].join('\n'),
    )
  })

  it('shows one workspace as JSON, with a part of the hash', async () => {
    const site = temporarySite()
      .write('content/acme/keys.yml', keys)
      .write('content/globex/keys.yml', '[]')
    const all = await call(site.folder, ['keys', 'list', '--json', '--workspace', 'acme'])
    expect(all.stdout).not.toMatch(/([abc])\1{8}/)
    expect(JSON.parse(all.stdout).keys[1]).toEqual({
      workspace: 'acme',
      id: 'k2',
      name: 'Old',
      scopes: ['tags:read'],
      created: '2026-01-02T00:00:00.000Z',
      expires: '2026-01-03T00:00:00.000Z',
      revoked: null,
      state: 'expired',
      hash: 'bbbbbbbb',
    })
    const none = await call(site.folder, ['keys', 'list', '--json', '--workspace', 'globex'])
    expect(JSON.parse(none.stdout)).toEqual({ keys: [] })
  })

  it('says that there are none', async () => {
    const { exitCode, stdout } = await call(temporarySite().folder, ['keys', 'list'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'There are no keys. Create one with npx quarry keys create --workspace ID.\n',
    })
  })

  it('prints every error of every file', async () => {
    const site = temporarySite()
      .write('content/acme/keys.yml', '- x: 1\n')
      .write('content/globex/keys.yml', '- [\n')
    const { exitCode, stdout, stderr } = await call(site.folder, ['keys', 'list'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('acme/keys.yml:1:3')
    expect(stderr).toContain('globex/keys.yml:')
  })

  it('ends with 2 for a workspace that is not there', async () => {
    const args = ['keys', 'list', '--workspace', 'acm']
    const { exitCode, stderr } = await call(temporarySite().folder, args)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Did you mean "acme"?')
  })
})

describe('quarry keys revoke', () => {
  const revoke = ['keys', 'revoke', '--workspace', 'acme']
  const keys = [
    '# Ours',
    `- id: k1 # the first`,
    '  name: Web',
    `  sha256: ${a}`,
    '  created: 2026-01-02',
    `- { id: k2, name: Twice, sha256: ${'b'.repeat(64)}, created: 2026-01-02 }`,
    `- { id: k3, name: Twice, sha256: ${'c'.repeat(64)}, created: 2026-01-02 }`,
    '',
  ].join('\n')

  it.each(['Web', 'k1'])('marks a key, by its name or id: %s', async (target) => {
    const site = temporarySite().write('content/acme/keys.yml', keys)
    const { exitCode, stdout } = await call(site.folder, [...revoke, target])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Revoked Web (k1) of acme.')
    expect(stdout).toContain(`QUARRY_KEYS='!${a}'`)
    expect(keysFile(site)).toMatch(
      /^# Ours\n- id: k1 # the first\n(.*\n){3} {2}revoked: \d{4}-.+Z\n- \{id: k2/,
    )
    expect((await listed(site)).map(({ state }: { state: string }) => state)).toEqual([
      'revoked',
      'active',
      'active',
    ])
  })

  it('leaves a key that is revoked as it is', async () => {
    const site = temporarySite().write('content/acme/keys.yml', keys)
    await call(site.folder, [...revoke, 'Web'])
    const before = keysFile(site)
    const { exitCode, stdout } = await call(site.folder, [...revoke, 'Web'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('already')
    expect(keysFile(site)).toBe(before)
  })

  it('means by a name the key that is not revoked yet', async () => {
    const site = temporarySite().write('content/acme/keys.yml', keys)
    await call(site.folder, [...revoke, 'k2'])
    const { exitCode, stdout } = await call(site.folder, [...revoke, 'Twice'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Revoked Twice (k3) of acme.')
  })

  it.each([
    ['Twice', 'Several keys have the name "Twice". The keys are: Twice (k2), Twice (k3).'],
    ['Webb', 'No key has the name or id "Webb". The keys are: Web (k1), Twice (k2), Twice (k3).'],
  ])('ends with 2 and the candidates when it is not clear: %s', async (target, reason) => {
    const site = temporarySite().write('content/acme/keys.yml', keys)
    const { exitCode, stdout, stderr } = await call(site.folder, [...revoke, target])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(reason)
    expect(keysFile(site)).toBe(keys)
  })

  it('ends with 2 where there are no keys', async () => {
    const site = temporarySite()
    const { exitCode, stderr } = await call(site.folder, [...revoke, 'Web'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('The keys are: none.')
    expect(existsSync(join(site.content, 'acme/keys.yml'))).toBe(false)
  })

  it('ends what the key could do, with the next build', async () => {
    const site = temporarySite()
    const made = await call(site.folder, [...create, '--name', 'Web'])
    const authorization = `Bearer ${made.stdout.trimEnd()}`
    const keyring = async () =>
      createKeyring((await site.load()).workspaces.flatMap(({ workspace }) => workspace.keys))
    expect((await keyring()).find(authorization, Date.now())).not.toBeNull()
    await call(site.folder, [...revoke, 'Web'])
    expect((await keyring()).find(authorization, Date.now())).toBeNull()
  })
})
