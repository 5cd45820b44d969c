import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { publishProgram } from '../support/publish-program.ts'
import { readBuild } from '../support/site-states.ts'
import { temporarySite } from '../support/temporary-site.ts'

const nobody = 65_534
const isRoot = process.getuid?.() === 0
let program: Awaited<ReturnType<typeof publishProgram>>

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-stage-'))
  chmodSync(folder, 0o755)
  program = await publishProgram(join(folder, 'publish.cjs'))
  return () => rmSync(folder, { recursive: true })
})

/** A finished build, and an empty folder where it is to be published. */
async function place() {
  const site = temporarySite().posts(2)
  await site.build()
  const folder = mkdtempSync(join(tmpdir(), 'quarry-mount-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const made of [site.folder, folder]) chmodSync(made, 0o755)
  const out = join(folder, 'dist')
  mkdirSync(out)
  return { folder, built: site.out, out, content: site.content }
}

/** A folder on another disk, or on the same one mounted again; false where that is forbidden. */
function mount(...args: readonly string[]): boolean {
  if (spawnSync('mount', args).status !== 0) return false
  const [target = ''] = args.slice(-1)
  onTestFinished(() => void execFileSync('umount', [target]))
  return true
}

describe.skipIf(!isRoot)('an output folder', () => {
  it.for<[string, (out: string, folder: string) => boolean]>([
    ['another disk', (out: string) => mount('-t', 'tmpfs', 'quarry', out)],
    [
      'a folder of the same disk',
      (out: string, folder: string) => {
        mkdirSync(join(folder, 'volume'))
        return mount('--bind', join(folder, 'volume'), out)
      },
    ],
  ])('may be a mount of %s', async ([, mountAt], { skip }) => {
    const { folder, ...build } = await place()
    if (!mountAt(build.out, folder)) skip('nothing may be mounted here')
    const before = readdirSync(folder)
    const [file = '', ...args] = program(build)
    for (const edit of ['', 'edited']) {
      if (edit !== '') writeFileSync(join(build.out, 'public/v1/acme/posts/index.json'), edit)
      execFileSync(file, args)
      expect(readBuild(build.out)).toEqual(readBuild(build.built))
      expect(readdirSync(folder)).toEqual(before)
      expect(readdirSync(build.out).sort()).toEqual([
        '.seal',
        'function',
        'manifest.json',
        'private',
        'public',
      ])
    }
  })

  it('may be in a folder that is closed', async () => {
    const { folder, ...build } = await place()
    chownSync(build.out, nobody, nobody)
    const [file = '', ...args] = program(build)
    execFileSync(file, args, { uid: nobody, gid: nobody })
    expect(readBuild(build.out)).toEqual(readBuild(build.built))
    expect(readdirSync(folder)).toEqual(['dist'])
  })

  it('is left as it was when it is closed itself', async () => {
    const { folder, ...build } = await place()
    const [file = '', ...args] = program(build)
    const { status, stderr } = spawnSync(file, args, { uid: nobody, gid: nobody, encoding: 'utf8' })
    expect(status).toBe(2)
    expect(stderr).toBe(
      `OutputError: ${build.out} cannot be written: it is not allowed (EACCES). Let the user who builds write there, or choose another folder with --out. Nothing was changed.`,
    )
    expect(readdirSync(folder)).toEqual(['dist'])
    expect(readdirSync(build.out)).toEqual([])
  })

  it('keeps the last build when its disk is full', async ({ skip }) => {
    const { folder, ...build } = await place()
    if (!mount('-t', 'tmpfs', '-o', 'size=512k', 'quarry', build.out)) {
      skip('nothing may be mounted here')
    }
    const [file = '', ...args] = program(build)
    execFileSync(file, args)
    const filler = join(build.out, 'public/filler')
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'])
    const list = join(build.out, 'public/v1/acme/posts/index.json')
    const before = readFileSync(list, 'utf8')
    rmSync(join(build.out, 'private/v2/acme/posts/index.json'))
    const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringContaining('the disk is full (ENOSPC)')])
    expect(readFileSync(list, 'utf8')).toBe(before)
    rmSync(filler)
    execFileSync(file, args)
    expect(readBuild(build.out)).toEqual(readBuild(build.built))
  })
})
