// A power cut empties files that were written before it. The next build leaves what a clean build leaves.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { caseCount } from '../support/cases.ts'
import { call } from '../support/command-call.ts'
import { contentsOf } from '../support/contents.ts'
import fc from '../support/fast-check.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const claim = '.lock'

function sample(): TemporarySite {
  return new TemporarySite({ cache: 'cache', changes: false })
    .write('content/acme/categories/news.md', '---\nname: News\n---\n')
    .posts(3)
    .post('picture', { publishedAt: '2026-07-01' }, '![](a.png)\n')
    .write('content/acme/posts/a.png', Buffer.from('89504e470d0a1a0a', 'hex'))
    .write('content/closed/workspace.yml', 'v1: private\n')
    .write(
      'content/closed/posts/secret.md',
      '---\ntitle: Secret\ncategory: x\ndate: 2026-01-01\n---\nText.\n',
    )
    .write('content/closed/categories/x.md', '---\nname: X\n---\n')
}

/** Every file of a build and of its cache. */
function filesOf(site: TemporarySite): readonly string[] {
  const own = ['.unfinished'].filter((name) => existsSync(join(site.out, name)))
  const ofCache = listFiles(join(site.folder, 'cache')).map((path) => `cache/${path}`)
  return [...[...listFiles(site.out), ...own].map((path) => `dist/${path}`), ...ofCache]
}

/** Empties files, or fills them with zeros as some file systems do. */
function cut(site: TemporarySite, paths: readonly string[], zeros = 0): void {
  for (const path of paths) {
    truncateSync(join(site.folder, path), 0)
    truncateSync(join(site.folder, path), zeros)
  }
}

async function built(edit: (site: TemporarySite) => TemporarySite) {
  const clean = edit(sample())
  try {
    await clean.build()
    return contentsOf(clean.out)
  } finally {
    rmSync(clean.folder, { recursive: true })
  }
}

const edited = (site: TemporarySite) => site.post('post-2', {}, 'Edited.\n').post('new')
const isKnown = (site: TemporarySite) => site

/** When the power is cut. */
interface State {
  readonly isLater: boolean
  readonly isDuring: boolean
  readonly hasClaim: boolean
}

async function siteIn({ isLater, isDuring, hasClaim }: State): Promise<TemporarySite> {
  const site = sample()
  await site.build()
  if (isLater) await edited(site).build()
  if (isDuring) writeFileSync(join(site.out, '.unfinished'), '')
  if (hasClaim) {
    mkdirSync(join(site.out, claim))
    writeFileSync(join(site.out, claim, 'owner.json'), '')
    utimesSync(join(site.out, claim), 1, 1)
  }
  return site
}

describe('a build after a power cut', () => {
  it.each([
    ['everything', () => true],
    ['the manifest', (path: string) => path === 'dist/manifest.json'],
    ['all but the manifest', (path: string) => path !== 'dist/manifest.json'],
    ['the responses', (path: string) => /^dist\/(?:public|private)/.test(path)],
    ['the index', (path: string) => path === 'dist/function/root.json'],
    ['the cache', (path: string) => path.startsWith('cache/')],
  ])('replaces %s, empty or zeros', async (_, isCut) => {
    const clean = await built(isKnown)
    for (const zeros of [0, 4096]) {
      const site = sample()
      onTestFinished(() => rmSync(site.folder, { recursive: true }))
      await site.build()
      cut(site, filesOf(site).filter(isCut), zeros)
      await site.build()
      expect(contentsOf(site.out)).toEqual(clean)
    }
  })

  it('repairs whatever was emptied, of a first and of a later build, during and after it', async () => {
    const [clean, cleanEdited] = [await built(isKnown), await built(edited)]
    const some = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          some,
          isAll: fc.boolean(),
          state: fc.record({
            isLater: fc.boolean(),
            isDuring: fc.boolean(),
            hasClaim: fc.boolean(),
          }),
          zeros: fc.constantFrom(0, 100),
          isEdited: fc.boolean(),
        }),
        async ({ state, some, isAll, zeros, isEdited }) => {
          const site = await siteIn(state)
          try {
            const files = filesOf(site)
            // Either some files keep their data, or some lose it.
            const chosen = new Set(some.map((part) => files[Math.floor(part * files.length)]))
            const lost = files.filter((path) => chosen.has(path) !== isAll)
            cut(site, lost, zeros)
            if (isEdited) edited(site)
            await site.build()
            const isNew = state.isLater || isEdited
            expect(contentsOf(site.out)).toEqual(isNew ? cleanEdited : clean)
            expect(existsSync(join(site.out, claim))).toBe(false)
            expect(await site.build()).toMatchObject({ changes: { written: 0 } })
          } finally {
            rmSync(site.folder, { recursive: true })
          }
        },
      ),
      { numRuns: caseCount(100, 15) },
    )
  })

  it('replaces an empty deployment', async () => {
    const site = temporarySite().post('first')
    const build = () => call(site.folder, ['build', '--for', 'cloudflare'])
    expect(await build()).toMatchObject({ exitCode: 0 })
    const folder = join(site.folder, 'deploy/cloudflare')
    const contents = () => listFiles(folder).map((path) => [path, readFileSync(join(folder, path))])
    const before = contents()
    for (const path of listFiles(folder)) truncateSync(join(folder, path), 0)
    expect(await build()).toMatchObject({ exitCode: 0 })
    expect(contents()).toEqual(before)
  })

  it('refuses a folder of another program, even with an empty manifest', async () => {
    const site = temporarySite().post('first')
    mkdirSync(site.out)
    for (const name of ['manifest.json', 'report.txt']) writeFileSync(join(site.out, name), '')
    await expect(site.build()).rejects.toThrow('holds files that quarry did not write')
    expect(site.text('report.txt')).toBe('')
  })
})
