import { describe, expect, it } from 'vitest'
import { type FileEntry, inUploadOrder } from '../../src/emit/file-entries.ts'
import { type Manifest, makeManifest } from '../../src/emit/manifest.ts'
import { measureDeployment } from '../../src/hosts/measure.ts'
import { hostNames } from '../../src/hosts/names.ts'
import { compareLimits, requireRoom } from '../../src/hosts/plan.ts'
import { weighDeployment } from '../../src/hosts/weigh.ts'
import { writeDeployment } from '../../src/hosts/write-deployment.ts'
import { pictureBytes } from '../conformance/picture.ts'
import { temporarySite } from '../support/temporary-site.ts'

function manifestOf(sizes: Readonly<Record<string, number>>): Manifest {
  const files = new Map(
    Object.entries(sizes).map(([path, bytes]): [string, FileEntry] => [
      path,
      { stage: 'data', bytes, sha256: '' },
    ]),
  )
  return makeManifest({
    build: 'b',
    validFrom: null,
    validUntil: null,
    workspaces: {},
    files: inUploadOrder(files),
  })
}

/** Larger than any other file that a small site has. */
const image = Buffer.concat([pictureBytes, Buffer.alloc(2 * 1024 * 1024)])

const weights = { program: 1000, programZipped: 1000, zipped: 1000 }

describe('a plan', () => {
  it.each(hostNames)('counts for %s what a deployment then holds', async (host) => {
    const site = temporarySite().posts(30).post('pictured', {}, '![](a.png)\n')
    const { manifest } = await site.write('content/acme/posts/a.png', image).build()
    const { files } = writeDeployment(host, site.out, manifest)
    const sizes = [...files.values()].map(({ bytes }) => bytes)
    expect(await weighDeployment(host, site.out, manifest)).toMatchObject({
      files: files.size,
      totalBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    })
  })

  it.each([
    ['netlify', 'functionBytes'],
    ['vercel', 'functionBytes'],
  ] as const)('lets images on %s weigh on no limit of its function', (host, measure) => {
    const measures = (bytes: number) =>
      measureDeployment(
        host,
        manifestOf({ 'function/root.json': 1000, 'public/media/acme/a.png': bytes }),
        weights,
      )
    expect(measures(6e9)[measure]).toBe(measures(1)[measure])
    expect(measures(6e9).totalBytes - measures(1).totalBytes).toBe(6e9 - 1)
    expect(compareLimits(host, measures(6e9)).filter(({ isBroken }) => isBroken)).toEqual([])
  })

  it('tells which limit is broken, and whose', () => {
    const manifest = manifestOf({ 'function/root.json': 1000, 'function/data/part-a.bin': 6e9 })
    const broken = (host: 'cloudflare' | 'aws-lambda' | 'vercel') =>
      compareLimits(host, measureDeployment(host, manifest, weights))
        .filter(({ isBroken }) => isBroken)
        .map(({ limit }) => [limit.measure, limit.only])
    expect(broken('aws-lambda')).toEqual([['totalBytes', null]])
    expect(broken('cloudflare')).toEqual([['allFetches', 'the free plan']])
    expect(broken('vercel')).toEqual([
      ['functionBytes', 'functions that are not "large"'],
      ['functionBytes', null],
    ])
  })

  it('refuses what no plan of a host takes, and nothing else', () => {
    const room = (bytes: number) => {
      const manifest = manifestOf({ 'function/root.json': 1000, 'function/data/part-a.bin': bytes })
      requireRoom('aws-lambda', measureDeployment('aws-lambda', manifest, weights))
      requireRoom('cloudflare', measureDeployment('cloudflare', manifest, weights))
    }
    expect(() => room(262_000_000)).not.toThrow()
    expect(() => room(262_200_000)).toThrow(
      /too large for aws-lambda: totalBytes is 26220\d+, .* 262144000/,
    )
  })
})
