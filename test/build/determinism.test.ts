import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, type Dirent, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

/** Every byte of an output folder, in one hash a file. */
function fingerprint(out: string): Readonly<Record<string, string>> {
  const files = [...listFiles(out)].sort()
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    ]),
  )
}

/** Builds the sample content in a process of its own, under an environment. */
function buildSample(
  site: TemporarySite,
  content: string,
  environment: Readonly<Record<string, string>>,
) {
  const out = join(
    site.folder,
    `dist-${Object.values(environment).join('-').replaceAll(/\W/g, '_')}`,
  )
  execFileSync(
    process.execPath,
    [
      join(root, '.lib/cli/main.js'),
      'build',
      '--content',
      content,
      '--out',
      out,
      '--now',
      '2026-11-20',
      '--quiet',
    ],
    { cwd: site.folder, env: { ...process.env, ...environment }, stdio: 'pipe' },
  )
  return fingerprint(out)
}

describe('the sample, built under any circumstances', () => {
  it('is the same in every time zone and locale, with any number of workers', () => {
    const site = temporarySite()
    const content = join(root, 'content')
    const reference = buildSample(site, content, { TZ: 'UTC', LC_ALL: 'C', QUARRY_WORKERS: '1' })
    expect(Object.keys(reference).length).toBeGreaterThan(100)
    for (const environment of [
      { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', QUARRY_WORKERS: '2' },
      { TZ: 'America/St_Johns', LC_ALL: 'sv_SE.UTF-8', QUARRY_WORKERS: '1' },
    ]) {
      expect(buildSample(site, content, environment)).toEqual(reference)
    }
  })

  it('is the same however the files were put into their folders', async () => {
    const site = temporarySite()
    const sample = join(root, 'content')
    const files = [...listFiles(sample)].sort()
    const copies = [files, files.toReversed(), [...files].sort((a, b) => hash(a) - hash(b))]
    const prints: Readonly<Record<string, string>>[] = []
    for (const order of copies) {
      rmSync(site.content, { recursive: true })
      for (const file of order) copy(join(sample, file), join(site.content, file))
      await site.build({ isForced: true })
      prints.push(fingerprint(site.out))
      rmSync(site.out, { recursive: true })
    }
    expect(prints[1]).toEqual(prints[0])
    expect(prints[2]).toEqual(prints[0])
  })

  it('is the same in whatever order a folder is listed', async () => {
    const other = temporarySite()
    const plain = temporarySite()
    for (const site of [other, plain]) {
      cpSync(join(root, 'content'), site.content, { recursive: true })
    }
    await plain.build()
    await other.build({ listFolder: shuffled })
    expect(fingerprint(other.out)).toEqual(fingerprint(plain.out))
  })
})

/** What is in a folder, in another order at each call. */
function shuffled(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort(() => Math.random() - 0.5)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}
