import { describe, expect, it } from 'vitest'
import {
  type FileEntries,
  type FileEntry,
  hashOfFiles,
  inUploadOrder,
  stages,
} from '../../src/emit/file-entries.ts'
import {
  decodeManifest,
  decodeTrusted,
  encodeManifest,
  makeManifest,
} from '../../src/emit/manifest.ts'
import { ManifestFile } from '../../src/emit/manifest-file.ts'
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

function manifestOf(files: FileEntries) {
  const workspaces = { files: { ...counts, name: '",\n  "files": {\n' } }
  return makeManifest({
    build: 'b',
    validFrom: null,
    validUntil: null,
    workspaces,
    files,
  })
}

const counts = {
  posts: 1,
  scheduled: 0,
  createsTerms: false,
  validFrom: null,
  validUntil: null,
  categories: 0,
  tags: 0,
  authors: 0,
}

describe('a manifest', () => {
  it('is read as it was written, whatever its files are called', () => {
    fc.assert(
      fc.property(files, (files) => {
        const manifest = manifestOf(inUploadOrder(files))
        expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest)
      }),
    )
  })

  it('is the JSON that it looks like', () => {
    fc.assert(
      fc.property(files, (files) => {
        const manifest = manifestOf(inUploadOrder(files))
        const { files: _, ...head } = manifest
        const json = JSON.parse(Buffer.from(encodeManifest(manifest)).toString())
        expect(json).toEqual({ ...head, files: Object.fromEntries(files) })
      }),
    )
  })

  it('is read in pieces, with one object for what is said more than once', () => {
    const long = new Map<string, FileEntry>()
    for (let at = 0; at < 3000; at++) {
      const sha256 = String(at % 1000).padStart(64, '0')
      long.set(`public/v1/acme/posts/${at}.json`, { stage: 'resource', bytes: at % 1000, sha256 })
    }
    const read = decodeManifest(encodeManifest(manifestOf(inUploadOrder(long))))?.files
    expect(read).toEqual(inUploadOrder(long))
    expect(new Set(read?.values()).size).toBe(1000)
    const known = decodeTrusted(encodeManifest(manifestOf(inUploadOrder(long)))).files
    expect(known).toEqual(inUploadOrder(long))
    expect(new Set(known.values()).size).toBe(1000)
  })

  it('says the sizes of its files without anything else being made out', () => {
    fc.assert(
      fc.property(files, (files) => {
        const manifest = manifestOf(inUploadOrder(files))
        const file = new ManifestFile(Buffer.from(encodeManifest(manifest)))
        expect([...file.sizes()]).toEqual(
          [...manifest.files].map(([path, { bytes }]) => [path, bytes]),
        )
        expect({ ...file.asWritten }).toEqual(manifest)
        const believed = new ManifestFile(Buffer.from(encodeManifest(manifest)))
        believed.believe()
        expect(believed.decoded).toEqual(manifest)
        expect([...(believed.decoded?.files.keys() ?? [])]).toEqual([...manifest.files.keys()])
      }),
    )
    const sha256 = '0'.repeat(64)
    const paths = Array.from({ length: 2000 }, (_, at) => `function/blocks/${at + 1000}.bin`)
    const data = paths.map((path): [string, FileEntry] => [
      path,
      { stage: 'data', bytes: 1, sha256 },
    ])
    const list: FileEntry = { stage: 'list', bytes: 2, sha256 }
    const long = manifestOf(new Map([...data, ['public/v1/a/posts/index.json', list]]))
    const file = new ManifestFile(Buffer.from(encodeManifest(long)))
    expect([...file.functionPaths()]).toEqual(paths)
    expect([...file.sizes()].at(-1)).toEqual(['public/v1/a/posts/index.json', 2])
  })

  it('is none when it was cut, or says something else of a file', () => {
    const sha256 = '0'.repeat(64)
    const whole = Buffer.from(
      encodeManifest(manifestOf(new Map([['function/a', { stage: 'data', bytes: 1, sha256 }]]))),
    )
    for (let length = 0; length < whole.length - 1; length++) {
      expect(decodeManifest(whole.subarray(0, length))).toBeNull()
    }
    const text = whole.toString()
    expect(decodeManifest(Buffer.from(text.replace('"bytes":1', '"bytes":"1"')))).toBeNull()
    expect(decodeManifest(Buffer.from(text.replace('"quarry": 1', '"quarry": 2')))).toBeNull()
  })
})

describe('the order of upload', () => {
  it('is by stage, then by path, whatever it is likened to', () => {
    fc.assert(
      fc.property(files, files, (files, others) => {
        const sorted = inUploadOrder(files)
        const keys = [...sorted].map(([path, { stage }]) => [stages.indexOf(stage), path] as const)
        for (const [at, [stage, path]] of keys.slice(1).entries()) {
          const [before, pathBefore] = keys[at] ?? [0, '']
          expect(before < stage || (before === stage && pathBefore < path)).toBe(true)
        }
        const like = inUploadOrder(new Map([...others, ...[...files].slice(1)]))
        expect([...inUploadOrder(files, like)]).toEqual([...sorted])
        expect(sorted).toEqual(files)
      }),
    )
  })

  it('is what the hash of all files is taken in', () => {
    const sha256 = 'a'.repeat(64)
    const one = new Map<string, FileEntry>([
      ['b', { stage: 'data', bytes: 1, sha256 }],
      ['a', { stage: 'list', bytes: 1, sha256 }],
    ])
    expect(hashOfFiles(inUploadOrder(new Map([...one].reverse())))).toBe(hashOfFiles(one))
    expect(hashOfFiles(new Map([...one].reverse()))).not.toBe(hashOfFiles(one))
  })
})
