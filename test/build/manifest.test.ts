import { describe, expect, it } from 'vitest'
import {
  decodeManifest,
  encodeManifest,
  type FileEntries,
  type FileEntry,
  inOrder,
  type Manifest,
  makeManifest,
  stages,
} from '../../src/build/manifest.ts'
import fc, { type Arbitrary } from '../support/fast-check.ts'

const hex = fc.stringMatching(/^[0-9a-f]{64}$/)
const entry: Arbitrary<FileEntry> = fc.record(
  { stage: fc.constantFrom(...stages), bytes: fc.nat(), sha256: hex, etag: fc.string() },
  { requiredKeys: ['stage', 'bytes', 'sha256'] },
)
const path = fc
  .stringMatching(/^[^/\\\p{Cc}]{1,40}$/u)
  .map((name) => `public/v1/${name}.json`)
  .filter((path) => !path.includes('\ud800'))
const files = fc.array(fc.tuple(path, entry), { maxLength: 40 }).map((pairs) => new Map(pairs))

const counts = {
  name: '",\n  "files": {\n',
  posts: 1,
  scheduled: 0,
  createsTerms: false,
  validFrom: null,
  validUntil: null,
  categories: 0,
  tags: 0,
  authors: 0,
}

function manifestOf(files: FileEntries): Manifest {
  const dates = { validFrom: null, validUntil: null }
  return makeManifest({ build: 'b', ...dates, workspaces: { files: counts }, files })
}

describe('a manifest', () => {
  it('is read as it was written, whatever its files are called, and is the JSON that it looks like', () => {
    fc.assert(
      fc.property(files, (files) => {
        const manifest = manifestOf(files)
        const bytes = encodeManifest(manifest)
        expect(decodeManifest(bytes)).toEqual(manifest)
        const { files: _, ...head } = manifest
        const json = JSON.parse(Buffer.from(bytes).toString())
        expect(json).toEqual({ ...head, files: Object.fromEntries(files) })
      }),
    )
  })

  it('is none when it was cut, or is of another version', () => {
    const sha256 = '0'.repeat(64)
    const entry: FileEntry = { stage: 'data', bytes: 1, sha256 }
    const whole = Buffer.from(encodeManifest(manifestOf(new Map([['function/a', entry]]))))
    for (let length = 0; length < whole.length - 1; length++) {
      expect(decodeManifest(whole.subarray(0, length))).toBeNull()
    }
    const text = whole.toString()
    expect(decodeManifest(Buffer.from(text.replace('"quarry": 1', '"quarry": 2')))).toBeNull()
    expect(decodeManifest(Buffer.from(text.replace('function/a', 'function/b')))).toBeNull()
  })

  it('has its files by stage, then by path', () => {
    fc.assert(
      fc.property(files, (files) => {
        const keys = [...inOrder(files)].map(([path, { stage }]) => {
          return `${stages.indexOf(stage)} ${path}`
        })
        expect(keys).toEqual([...keys].sort())
        expect(inOrder(files)).toEqual(files)
      }),
    )
  })
})
