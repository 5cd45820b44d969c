import { describe, expect, it } from 'vitest'
import { defaultScopes } from '../../src/api/keys.ts'
import { encodeKey } from '../../src/runtime/keys.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const a = 'a'.repeat(64)
const b = 'b'.repeat(64)
const clearKey = encodeKey(new Uint8Array(32).fill(5))
const file = 'content/acme/keys.yml'

/** An entry of `keys.yml`; what is undefined is left out. */
function entry(fields: Readonly<Record<string, string | undefined>> = {}): string {
  const all = { id: 'k1', name: 'Web', sha256: a, created: '2026-01-02', ...fields }
  const lines = Object.entries(all).filter(([, value]) => value !== undefined)
  return `- ${lines.map(([key, value]) => `${key}: ${value}`).join('\n  ')}\n`
}

async function keysOf(site: TemporarySite) {
  return (await site.load()).workspaces.flatMap(({ workspace }) => workspace.keys)
}

describe('keys.yml', () => {
  it('states keys with all scopes and no end unless it says otherwise', async () => {
    const site = temporarySite().write(file, entry())
    expect(await keysOf(site)).toEqual([
      {
        id: 'k1',
        workspace: 'acme',
        name: 'Web',
        sha256: a,
        scopes: defaultScopes,
        expiresAt: null,
        revoked: false,
      },
    ])
  })

  it('states scopes, an end and a revocation', async () => {
    const fields = {
      scopes: '[tags:read]',
      expires: '2026-07-01T00:00+02:00',
      revoked: '2026-03-01',
    }
    const site = temporarySite().write(file, entry(fields))
    expect(await keysOf(site)).toMatchObject([
      { scopes: ['tags:read'], expiresAt: Date.UTC(2026, 5, 30, 22), revoked: true },
    ])
  })

  it('takes a revocation that says nothing for none', async () => {
    const site = temporarySite().write(file, entry({ revoked: '~', expires: '', scopes: 'null' }))
    expect(await keysOf(site)).toMatchObject([
      { scopes: defaultScopes, expiresAt: null, revoked: false },
    ])
  })

  it('keeps the order of the file, workspace by workspace', async () => {
    const site = temporarySite()
      .write(file, entry({ id: 'z' }) + entry({ id: 'y', sha256: b }))
      .write('content/globex/keys.yml', entry({ id: 'z', sha256: 'c'.repeat(64) }))
    expect((await keysOf(site)).map(({ workspace, id }) => `${workspace}/${id}`)).toEqual([
      'acme/z',
      'acme/y',
      'globex/z',
    ])
  })

  it.each(['', '# Only a comment\n', '[]\n', '\uFEFF'])('may hold no keys: %j', async (text) => {
    expect(await keysOf(temporarySite().write(file, text))).toEqual([])
  })

  it.each([
    [entry({ id: undefined }), '1:3 missing-field `id` is missing.'],
    [entry({ name: undefined }), '1:3 missing-field `name` is missing.'],
    [entry({ sha256: undefined }), '1:3 missing-field `sha256` is missing.'],
    [entry({ created: undefined }), '1:3 missing-field `created` is missing.'],
    [entry({ id: 'a b' }), '1:7 invalid-identifier'],
    [entry({ name: '" "' }), '2:9 invalid-field `name` " " must not be empty.'],
    [entry({ name: '"\\e[31mred"' }), '2:9 invalid-field `name`'],
    [entry({ sha256: 'abc' }), '3:11 invalid-field `sha256` "abc" must be 64 hexadecimal digits'],
    [entry({ sha256: a.toUpperCase() }), '3:11 invalid-field'],
    [entry({ sha256: `${a}a` }), '3:11 invalid-field'],
    [entry({ scopes: 'posts:read' }), '5:11 invalid-field `scopes` "posts:read" must be a list'],
    [entry({ scopes: '[]' }), '5:11 invalid-field `scopes` must name a scope'],
    [entry({ scopes: '[posts]' }), '5:12 invalid-field `scopes.0` "posts" must be one of'],
    [entry({ created: 'today' }), '4:12 invalid-date'],
    [entry({ expires: '2026-02-30' }), '5:12 invalid-date'],
    [entry({ revoked: 'true' }), '5:12 invalid-date'],
    ['id: k1\n', '1:1 invalid-field `keys` must be a list: `- id: …`.'],
    ['keys\n', '1:1 invalid-field `keys` must be a list'],
    ['- k1\n', '1:3 invalid-field An entry of `keys` must be a map'],
    ['- id: [k1\n', 'yaml-syntax'],
    ['- *x : k1\n', 'yaml-key'],
  ])('stops the build where it is wrong: %j', async (text, problem) => {
    const problems = await temporarySite().write(file, text).problems()
    expect(problems.join('\n')).toContain(problem)
    expect(problems.every((line) => line.startsWith('acme/keys.yml:'))).toBe(true)
  })

  it('warns of a key that nothing reads', async () => {
    const site = temporarySite().write(file, entry({ scope: 'posts:read' }))
    expect(await site.problems()).toEqual([
      'acme/keys.yml:5:3 unknown-key "scope" is not a known key; it is ignored. Did you mean "scopes"?',
    ])
  })

  it('has an id once, and names both places', async () => {
    const site = temporarySite().write(file, entry() + entry({ sha256: b }))
    expect(await site.problems()).toEqual([
      'acme/keys.yml:5:7 duplicate-identifier This id already belongs to the key at acme/keys.yml:1. Give one of them another id.',
    ])
  })

  it.each([
    ['acme', entry() + entry({ id: 'k2' }), 'acme/keys.yml:7:11'],
    ['globex', entry({ id: 'k2' }), 'globex/keys.yml:3:11'],
  ])('has a hash once in all workspaces, and names both places: %s', async (id, text, place) => {
    const site = temporarySite().write(file, entry()).write(`content/${id}/keys.yml`, text)
    expect(await site.problems()).toEqual([
      `${place} duplicate-key This sha256 already belongs to the key at acme/keys.yml:3. Remove one; each workspace has its own keys.`,
    ])
  })

  it.each([
    ['as the hash', entry({ sha256: clearKey }), '3:11'],
    ['as the id', entry({ id: clearKey }), '1:7'],
    ['in a name', entry({ name: `"Web ${clearKey}"` }), '2:14'],
    ['as a key of the map', entry({ [clearKey]: 'x' }), '5:3'],
    ['in a comment', entry({ sha256: `abc # ${clearKey}` }), '3:17'],
    ['beside a mistake', `- { id: "a b", sha256: ${clearKey} }\n`, '1:24'],
    ['in broken YAML', `- id: [k1 ${clearKey}\n`, '1:11'],
    ['as an alias', `- id: *${clearKey}\n`, '1:8'],
    ['in part', entry({ sha256: clearKey.slice(0, 30) }), '3:11'],
  ])('never holds a key in clear, and no problem repeats it: %s', async (_, text, place) => {
    const diagnostics = await temporarySite().write(file, text).diagnostics()
    const [line, column] = place.split(':').map(Number)
    expect(diagnostics).toEqual([
      {
        code: 'key-in-clear',
        severity: 'error',
        file: 'acme/keys.yml',
        line,
        column,
        message: 'This is a key in plain text; only its SHA-256 belongs in this file.',
        hint: expect.stringContaining('quarry keys create'),
      },
    ])
  })

  it('is not read under a name that is nearly right', async () => {
    const site = temporarySite().write('content/acme/Keys.yaml', entry())
    expect(await site.problems()).toEqual([
      'acme/Keys.yaml:1:1 ignored-file A file with this name is ignored. Rename it to "keys.yml".',
    ])
    expect(await keysOf(site)).toEqual([])
  })
})

describe('hashes of keys', () => {
  it('reach no file that is served', async () => {
    const site = temporarySite()
      .post('first')
      .write(file, entry({ name: 'Secret name' }))
    await site.build()
    const served = site.files().filter((path) => !path.startsWith('function/'))
    expect(served.filter((path) => /aaaaaaaaaaaaaaaa|Secret name/.test(site.text(path)))).toEqual(
      [],
    )
  })
})
