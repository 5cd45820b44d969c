// The output folder: what may be one, what a build writes, keeps and removes, and what somebody else did in between.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { build } from '../../src/build/build.ts'
import { listFiles, openOutput } from '../../src/build/output.ts'
import { resolveSettings } from '../../src/config.ts'
import { call } from '../support/command-call.ts'
import { Place, type Texts } from '../support/output-place.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const [post, twin] = ['public/v1/acme/posts/a.json', 'private/v2/acme/posts/a.json']
const list = 'public/v1/acme/posts/index.json'

/** A build of two posts. */
const old: Texts = {
  [`${post},${twin}`]: 'a',
  'public/v1/acme/posts/b.json,private/v2/acme/posts/b.json': 'b',
  [list]: 'a, b',
  'function/data/part-x.bin': 'part',
  'function/root.json': 'root',
}

async function published(): Promise<Place> {
  const place = new Place()
  await place.publish(old)
  return place
}

/** Writes over a file, and puts its times back. */
function overwrite(place: Place, path: string): void {
  const { atime, mtime } = statSync(join(place.out, path))
  place.write(path, 'A')
  utimesSync(join(place.out, path), atime, mtime)
}

describe('a build that is there as it was left', () => {
  it('is left as it is, unless a build is forced', async () => {
    const place = await published()
    expect(await place.isLastWhole()).toBe(true)
    expect(await place.isLastWhole(true)).toBe(false)
    expect(await place.publish(old)).toMatchObject({ written: 0, unchanged: 7, removed: 0 })
    expect(await place.publish({ ...old, [list]: 'b, a' })).toEqual({
      made: [list, 'function/data/part-x.bin', 'function/root.json'],
      written: 1,
      unchanged: 6,
      removed: 0,
    })
  })

  it.each<[string, (place: Place) => void]>([
    ['a file is missing', ({ out }) => rmSync(join(out, post))],
    ['a file is longer', (place) => place.write(twin, 'aa')],
    ['a file was written over and its times put back', (place) => overwrite(place, post)],
    [
      'a file is another file that was there before',
      (place) => {
        writeFileSync(join(place.folder, 'x'), 'A')
        rmSync(join(place.out, post))
        linkSync(join(place.folder, 'x'), join(place.out, post))
      },
    ],
    [
      'a file is a link',
      (place) => {
        renameSync(join(place.out, post), join(place.folder, 'x'))
        symlinkSync(join(place.folder, 'x'), join(place.out, post))
      },
    ],
    ['a build was ended in it', (place) => place.write('.unfinished', '')],
    [
      'its manifest was cut',
      (place) => place.write('manifest.json', place.text('manifest.json').slice(0, -20)),
    ],
  ])('is not taken as it is where %s, and is fixed', async (_, change) => {
    const place = await published()
    change(place)
    expect(await place.isLastWhole()).toBe(false)
    await place.publish(old)
    expect([place.text(post), place.text(twin)]).toEqual(['a', 'a'])
    expect(await place.isLastWhole()).toBe(true)
  })

  it.each<[string, (place: Place) => void, boolean]>([
    ['forced', () => {}, true],
    ['after a kill', (place) => place.write('.unfinished', ''), false],
  ])(
    'loses responses that no manifest names, and nothing else: %s',
    async (_, change, isForced) => {
      const place = await published()
      const strange = ['public/v1/acme/posts/secret.json', 'private/v2/acme/posts/secret.json']
      for (const path of strange) place.write(path, 'withdrawn')
      place.write('public/v1/acme/posts/mine.txt', 'mine')
      mkdirSync(join(place.out, '.new/1'), { recursive: true })
      change(place)
      expect(await place.publish(old, isForced)).toMatchObject({ removed: 2 })
      for (const path of strange) expect(existsSync(join(place.out, path))).toBe(false)
      expect(place.text('public/v1/acme/posts/mine.txt')).toBe('mine')
      expect(readdirSync(place.out).sort()).toEqual([
        ...['function', 'manifest.json', 'private', 'public'],
      ])
    },
  )
})

const victim = 'content/post.md'

it.each([`../${victim}`, `public/../../${victim}`, 'public', '', 'public/a\0b', 'manifest.json'])(
  'a manifest that somebody changed has nothing removed for naming %j',
  async (path) => {
    const place = await published()
    writeFileSync(join(place.folder, victim), 'precious')
    const named = `"files": {\n    ${JSON.stringify(path)}:{"bytes":1,"sha256":"${'0'.repeat(64)}"},\n`
    place.write('manifest.json', place.text('manifest.json').replace('"files": {\n', named))
    await place.publish(old)
    expect(readFileSync(join(place.folder, victim), 'utf8')).toBe('precious')
    expect(place.text('manifest.json')).not.toContain('0'.repeat(64))
  },
)

it('what is no longer published stays for one build when functions that run may read it', async () => {
  const hashed = (digit: string) => `function/data/${digit.repeat(32)}.bin`
  const place = new Place()
  await place.publish({ ...old, [hashed('1')]: 'one' })
  expect(await place.publish({ ...old, [hashed('2')]: 'two' })).toMatchObject({ removed: 0 })
  expect(place.files('function/data')).toContain(hashed('1'))
  expect(await place.publish({ ...old, [hashed('3')]: 'three' })).toMatchObject({ removed: 1 })
  expect(await place.publish({ ...old, [hashed('3')]: 'three' })).toMatchObject({ removed: 1 })
  expect(place.files('function/data')).toEqual([hashed('3'), 'function/data/part-x.bin'].sort())
})

it('a post that became a draft and a closed workspace leave no text in the public folder', async () => {
  const site = temporarySite({ browser: true }).post('stays').post('goes', {}, 'Withdrawn text.\n')
  site.write('content/other/workspace.yml', 'name: Other\n')
  site.write('content/other/categories.yml', '- { slug: news, name: News }\n')
  site.post('one', {}, 'Closed text.\n', 'other')
  const found = () =>
    ['Withdrawn', 'Closed', 'stays'].filter((word) =>
      listFiles(join(site.out, 'public')).some((path) =>
        readFileSync(join(site.out, 'public', path)).includes(word),
      ),
    )
  await site.build()
  expect(found()).toEqual(['Withdrawn', 'Closed', 'stays'])
  site.post('goes', { draft: 'true' }, 'Withdrawn text.\n')
  await site.write('content/other/workspace.yml', 'name: Other\nv1: private\n').build()
  expect(found()).toEqual(['stays'])
  Object.assign(site.config, { browser: false })
  await site.build()
  expect(existsSync(join(site.out, 'public/site'))).toBe(false)
})

describe('the output folder', () => {
  it.each<[string, (site: TemporarySite) => string, string]>([
    ['the root', () => '/', 'the root of the file system'],
    ['home', () => process.env['HOME'] ?? '/root', 'your home folder'],
    ['a parent of the working folder', () => join(process.cwd(), '..'), 'the working folder'],
    ['inside the content', (site) => join(site.content, 'acme/dist'), 'inside the content folder'],
    [
      'a folder of somebody else',
      (site) => site.write('dist/mine.txt', 'precious').out,
      'files that quarry did not write',
    ],
  ])('is refused when it is %s', async (_, out, reason) => {
    const site = temporarySite().post('first')
    const settings = resolveSettings({ content: site.content, out: out(site), workers: 1 })
    await expect(build(settings)).rejects.toThrow(reason)
  })

  it.each(['dist', 'dist/public', 'content', 'content/acme/cache'])(
    'is refused as the place of the cache, and so is the content: %s',
    async (name) => {
      const site = temporarySite().post('secret', { status: 'draft' })
      const settings = { content: site.content, out: site.out, cache: join(site.folder, name) }
      const before = listFiles(site.folder)
      await expect(build(resolveSettings(settings))).rejects.toThrow(/^The cache folder is inside/)
      expect(listFiles(site.folder)).toEqual(before)
    },
  )

  it.each(['public', 'public/v1/acme', 'function'])(
    'is refused when %s is a link, and what it leads to stays as it is',
    async (name) => {
      const place = await published()
      const elsewhere = join(place.folder, 'elsewhere')
      renameSync(join(place.out, name), elsewhere)
      symlinkSync(elsewhere, join(place.out, name))
      const before = listFiles(elsewhere)
      const files = { 'public/v1/acme/posts/c.json': 'c', 'function/root.json': 'r' }
      await expect(place.publish(files)).rejects.toThrow(`leads to ${elsewhere}`)
      expect(listFiles(elsewhere)).toEqual(before)
    },
  )

  it('stays as it is while another build is at work, and when the content has errors', async () => {
    const site = temporarySite().post('first')
    await site.build()
    const contents = () => site.files().map((file) => file + site.text(file))
    const before = contents()
    const folder = await openOutput(site.out, site.content)
    onTestFinished(() => folder.close())
    const second = await call(site.folder, ['build'])
    expect(second.exitCode).toBe(2)
    expect(second.stderr).toContain(`process ${process.pid} on ${hostname()}, since 2`)
    folder.close()
    site.post('first', { category: 'nwes' }).post('second')
    await expect(site.build()).rejects.toThrow('The content has 1 error.')
    expect(contents()).toEqual(before)
  })
})
