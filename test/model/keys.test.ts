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
  await site.build()
  return site.json('function/root.json').root.workspaces.flatMap(({ keys = [] }) => keys)
}

describe('keys.yml', () => {
  it('states keys in its order, with all scopes and no end unless it says otherwise', async () => {
    const stated = { scopes: '[tags:read]', expires: '2026-07-01T00:00+02:00' }
    const none = { id: 'k2', sha256: b, revoked: '~', expires: '', scopes: 'null' }
    const site = temporarySite()
      .write(file, entry(none) + entry({ ...stated, revoked: '2026-03-01' }))
      .write('content/globex/keys.yml', entry({ sha256: 'c'.repeat(64) }))
    const whole = { name: 'Web', scopes: defaultScopes, expiresAt: null, revoked: false }
    const own = { scopes: ['tags:read'], expiresAt: Date.UTC(2026, 5, 30, 22), revoked: true }
    expect(await keysOf(site)).toEqual([
      { ...whole, id: 'k2', workspace: 'acme', sha256: b },
      { ...whole, ...own, id: 'k1', workspace: 'acme', sha256: a },
      { ...whole, id: 'k1', workspace: 'globex', sha256: 'c'.repeat(64) },
    ])
    await site.build()
    const served = site.files().filter((path) => !path.startsWith('function/'))
    expect(served.filter((path) => /a{16}/.test(site.text(path)))).toEqual([])
  })

  it.each([
    [entry({ id: undefined }), '1:3 missing-field `id` is missing.'],
    [entry({ sha256: 'abc' }), '3:11 invalid-field `sha256` "abc" must be 64 hexadecimal digits'],
    [entry({ scopes: '[posts]' }), '5:12 invalid-field `scopes.0` "posts" must be one of'],
    [entry({ scope: 'x' }), '5:3 unknown-key "scope" is not a known key. Did you'],
    [entry() + entry({ id: 'k2' }), '7:11 duplicate-key This sha256 already belongs to the key at'],
  ])('is checked: %j', async (text, problem) => {
    const problems = await temporarySite().write(file, text).problems()
    expect(problems).toEqual([expect.stringContaining(problem)])
    expect(problems[0]).toMatch(/^acme\/keys\.yml:/)
  })

  it.each([
    ['as the hash', entry({ sha256: clearKey }), '3:11'],
    ['in a comment', entry({ sha256: `abc # ${clearKey}` }), '3:17'],
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
})
