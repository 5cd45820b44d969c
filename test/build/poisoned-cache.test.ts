// A cache that somebody else wrote: what of it is served, and what is not.
import { hash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { BuildError } from '../../src/diagnostics.ts'
import { packsIn, replaceFile, rewriteParts } from '../support/crafted-pack.ts'
import fc from '../support/fast-check.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const poison = (bytes: Buffer, part: string): Uint8Array =>
  part === 'html' ? Buffer.from('"<script>alert(1)</script>"') : bytes

let warnings: string[]
const onWarning = (sentence: string) => void warnings.push(sentence)
const trusting = { caching: { onWarning } }

beforeEach(() => {
  warnings = []
})

describe('a cache that somebody else wrote', () => {
  it('serves what a poisoned cache holds', async () => {
    const { site, pack } = await builtSite(trusting)
    rewriteParts(pack, poison)
    await buildAfresh(site, trusting)
    expect(site.text('public/v1/acme/posts/post-1.json')).toContain('<script>')
    expect(warnings).toEqual([])
  })

  it('renders again with `isForced`, and leaves no poison for the next build', async () => {
    const { site, pack, clean } = await builtSite(trusting)
    rewriteParts(pack, poison)
    const { rendered } = await buildAfresh(site, { ...trusting, isForced: true })
    expect(rendered).toBe(3)
    expect(filesOf(site)).toEqual(clean)
    await buildAfresh(site, trusting)
    expect(filesOf(site)).toEqual(clean)
  })
})

describe('a damaged pack', () => {
  it('changes no byte of a build', async () => {
    const { site, pack, clean } = await builtSite(trusting)
    replaceFile(pack, (bytes) =>
      Buffer.from(bytes.toString('latin1').replaceAll('<p>Text.', '<b>Text.'), 'latin1'),
    )
    const { rendered } = await buildAfresh(site, trusting)
    expect(rendered).toBe(3)
    expect(warnings).toEqual([
      'A file of the cache is damaged and discarded. The build makes again what it held.',
    ])
    expect(filesOf(site)).toEqual(clean)
  })
})

describe.runIf(process.env['QUARRY_FAULTS'] === 'all')(
  'a cache of records that no build makes',
  () => {
    it('causes no internal error', { timeout: 600_000 }, async () => {
      const { site, pack } = await builtSite(trusting)
      const saved = readFileSync(pack)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
          writeFileSync(pack, saved)
          let random = seed
          const next = (below: number) => {
            random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
            return (random >>> 8) % below
          }
          rewriteParts(pack, (bytes) => garbled(bytes, next))
          const error = await buildAfresh(site, trusting).then(
            () => undefined,
            (reason: unknown) => reason,
          )
          // A record may say that its file has errors.
          if (error !== undefined) expect(error).toBeInstanceOf(BuildError)
          for (const path of packsIn(join(site.folder, 'cache'))) rmSync(path)
        }),
        { numRuns: 300, seed: 7 },
      )
    })
  },
)

/** A third of all parts are cut, changed, made of something else, or given other numbers. */
function garbled(bytes: Buffer, next: (below: number) => number): Buffer {
  const at = next(Math.max(1, bytes.length))
  const kind = next(18)
  if (kind === 0) return bytes.subarray(0, at)
  if (kind === 1) return Buffer.from(['null', '[]', '{}', '{"a":[1]}', '7', ''][next(6)] ?? '')
  if (kind > 5 || bytes.length === 0) return bytes
  const changed = Buffer.from(bytes)
  if (kind === 2) changed[at] = next(256)
  else if (kind === 3) changed.fill(next(2) * 255, at, Math.min(at + 4, bytes.length))
  else if (kind === 4) changed.copy(changed, at, next(bytes.length))
  else return Buffer.concat([changed, changed.subarray(at)])
  return changed
}

interface Built {
  readonly site: TemporarySite
  /** Path of the only pack. */
  readonly pack: string
  /** All files of a clean build, with their digests. */
  readonly clean: readonly string[]
}

async function builtSite(options: Parameters<TemporarySite['build']>[0]): Promise<Built> {
  const site = temporarySite({ cache: 'cache' })
  // Three bodies.
  for (const number of [1, 2, 3]) {
    site.post(`post-${number}`, {}, `Text. ${number}\n`)
  }
  await site.build(options)
  const [pack = ''] = packsIn(join(site.folder, 'cache'))
  return { site, pack, clean: filesOf(site) }
}

function filesOf(site: TemporarySite): readonly string[] {
  const files = site.files().filter((path) => path !== '.seal')
  return files.map((path) => `${path} ${hash('sha256', readFileSync(join(site.out, path)))}`)
}

/** Into a folder without an earlier build, as in a fresh clone. */
async function buildAfresh(site: TemporarySite, options: Parameters<TemporarySite['build']>[0]) {
  rmSync(site.out, { recursive: true, force: true })
  return site.build(options)
}
