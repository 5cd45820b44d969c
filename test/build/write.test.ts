// Writers: what is made, written, kept and removed, and what somebody else may have done in between.
// Knows nothing of content.
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
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { filesRead } from '../support/disk-calls.ts'
import { old, Place } from '../support/output-place.ts'
import { temporarySite } from '../support/temporary-site.ts'

/** Files without a tag are made every time. */
const untagged = ['function/data/part-x.bin', 'function/root.json']

describe('an answer with an entity tag', () => {
  it('is not made again when nothing changed', async () => {
    const place = new Place()
    await place.publish(old)
    expect(await place.publish(old)).toEqual({
      made: untagged,
      written: 0,
      unchanged: 7,
      removed: 0,
    })
  })

  it('is made and written alone when it is the one that changed', async () => {
    const place = new Place()
    await place.publish(old)
    const changes = await place.publish({ ...old, 'public/v1/acme/posts/index.json': 'b, a' })
    expect(changes).toEqual({
      made: ['public/v1/acme/posts/index.json', ...untagged],
      written: 1,
      unchanged: 6,
      removed: 0,
    })
    expect(place.text('public/v1/acme/posts/index.json')).toBe('b, a')
  })

  it('is made again where one of its files is not as it was', async () => {
    const place = new Place()
    await place.publish(old)
    rmSync(join(place.out, 'private/v2/acme/posts/a.json'))
    const { made, written } = await place.publish(old)
    expect(made).toEqual(['public/v1/acme/posts/a.json,private/v2/acme/posts/a.json', ...untagged])
    expect(written).toBe(1)
    expect(place.text('private/v2/acme/posts/a.json')).toBe('a')
  })
})

describe('a file that somebody touched', () => {
  const file = 'public/v1/acme/posts/index.json'

  it('is written again, also when its length and its time stayed the same', async () => {
    const place = new Place()
    await place.publish(old)
    const { atime, mtime } = statSync(join(place.out, file))
    place.write(file, 'A, B')
    utimesSync(join(place.out, file), atime, mtime)
    const { made, written } = await place.publish(old)
    expect(made).toEqual([file, ...untagged])
    expect(written).toBe(1)
    expect(place.text(file)).toBe('a, b')
  })
})

describe('names of one file', () => {
  const [first, second] = ['public/v1/acme/posts/a.json', 'private/v2/acme/posts/a.json']

  it('are mended together when their bytes became others', async () => {
    const place = new Place()
    await place.publish(old)
    place.write(second, 'A')
    expect(await place.publish(old)).toMatchObject({ written: 2 })
    expect([place.text(first), place.text(second)]).toEqual(['a', 'a'])
  })
})

describe('a manifest that somebody changed', () => {
  const victim = 'content/post.md'

  /** Publishes, changes the text of the manifest, and publishes again. */
  async function republish(change: (text: string) => string): Promise<Place> {
    const place = new Place()
    writeFileSync(join(place.folder, victim), 'precious')
    await place.publish(old)
    place.write('manifest.json', change(place.text('manifest.json')))
    await place.publish(old)
    return place
  }

  const added = (path: string) => (text: string) =>
    text.replace(
      '"files": {\n',
      `"files": {\n    ${JSON.stringify(path)}:{"bytes":1,"sha256":"${'0'.repeat(64)}"},\n`,
    )

  it.each([
    `../${victim}`,
    `public/../../${victim}`,
    `public/v1/./../../../${victim}`,
    'public',
    '',
    'public/a\0b',
    `public/${'a'.repeat(5000)}`,
    'manifest.json',
  ])('has nothing removed for naming %j', async (path) => {
    const place = await republish(added(path))
    expect(readFileSync(join(place.folder, victim), 'utf8')).toBe('precious')
    expect(place.text('manifest.json')).not.toContain('0'.repeat(64))
  })

  it.each<[string, (text: string) => string]>([
    ['misses a line', (text) => text.replace(/.*function\/data.*\n/, '')],
    ['was cut', (text) => text.slice(0, -20)],
    ['says another hash', (text) => text.replace(/"sha256":"./g, '"sha256":"0')],
    ['was formatted', (text) => JSON.stringify(JSON.parse(text))],
    ['has a line break less', (text) => text.replace('},\n    "public', '}, "public')],
    ['has a blank more', (text) => text.replaceAll('":{"bytes"', '": {"bytes"')],
    ['says another tag', (text) => text.replace('"etag":"\\"a', '"etag":"\\"z')],
  ])('is written again where it %s, and nothing is lost', async (_, change) => {
    const place = await republish(change)
    const clean = new Place()
    await clean.publish(old)
    expect(place.text('manifest.json')).toBe(clean.text('manifest.json'))
    for (const folder of ['public', 'private', 'function']) {
      expect(place.files(folder)).toEqual(clean.files(folder))
    }
  })
})

describe('what is no longer published', () => {
  const { 'public/v1/acme/posts/index.json': _, ...withoutList } = old

  it('is not readable any more, be it a post or a list', async () => {
    const place = new Place()
    await place.publish({ ...old, 'public/v1/acme/posts/_page/2.json': 'c' })
    const { 'public/v1/acme/posts/b.json,private/v2/acme/posts/b.json': _, ...rest } = withoutList
    expect(await place.publish(rest)).toMatchObject({ removed: 4 })
    expect(place.files('public')).toEqual(['public/v1/acme/posts/a.json'])
    expect(place.files('private')).toEqual(['private/v2/acme/posts/a.json'])
  })

  it('stays for one build when functions that run may read it', async () => {
    const hashed = (digit: string) => `function/data/${digit.repeat(32)}.bin`
    const place = new Place()
    await place.publish({ ...old, [hashed('1')]: 'one' })
    expect(await place.publish({ ...old, [hashed('2')]: 'two' })).toMatchObject({ removed: 0 })
    expect(place.files('function/data')).toContain(hashed('1'))
    expect(await place.publish({ ...old, [hashed('3')]: 'three' })).toMatchObject({ removed: 1 })
    expect(place.files('function/data')).not.toContain(hashed('1'))
    expect(await place.publish({ ...old, [hashed('3')]: 'three' })).toMatchObject({ removed: 1 })
    expect(place.files('function/data')).toEqual([hashed('3'), 'function/data/part-x.bin'].sort())
  })
})

describe('the output folder', () => {
  it.each(['public', 'public/v1/acme', 'function'])(
    'is refused when %s is a link, and what it leads to stays as it is',
    async (name) => {
      const place = new Place()
      await place.publish(old)
      const elsewhere = join(place.folder, 'elsewhere')
      renameSync(join(place.out, name), elsewhere)
      symlinkSync(elsewhere, join(place.out, name))
      const before = listFiles(elsewhere)
      await expect(place.publish({ 'public/v1/acme/posts/c.json': 'c' })).rejects.toThrow(
        `${join(place.out, name)} is a link`,
      )
      expect(listFiles(elsewhere)).toEqual(before)
    },
  )

  it('loses the new files of a build that was killed', async () => {
    const place = new Place()
    await place.publish(old)
    mkdirSync(join(place.out, '.new/1'), { recursive: true })
    await place.publish(old)
    expect(readdirSync(place.folder).sort()).toEqual(['content', 'dist'])
    expect(readdirSync(place.out).sort()).toEqual([
      'function',
      'manifest.json',
      'private',
      'public',
    ])
  })
})

describe('a build that is there as it was left', () => {
  const [post, twin] = ['public/v1/acme/posts/a.json', 'private/v2/acme/posts/a.json']

  it('is known by its manifest and the times of its files: nothing else is read', async () => {
    const place = new Place()
    await place.publish(old)
    await pause(20)
    // Every file is older than the manifest by more than the step of the clock.
    const manifest = join(place.out, 'manifest.json')
    utimesSync(manifest, new Date(), new Date())
    const read = await filesRead(place.out, () => place.isLastWhole())
    expect(read.filter((path) => path.includes('/') && !path.startsWith('.lock'))).toEqual([])
    expect(await place.isLastWhole()).toBe(true)
    expect(await place.isLastWhole(true)).toBe(false)
  })

  it.each<[string, (place: Place) => void]>([
    ['a file is missing', ({ out }) => rmSync(join(out, post))],
    ['a file is longer', (place) => place.write(twin, 'aa')],
    [
      'a file was written over and its times put back',
      (place) => {
        const { atime, mtime } = statSync(join(place.out, post))
        place.write(post, 'A')
        utimesSync(join(place.out, post), atime, mtime)
      },
    ],
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
    const place = new Place()
    await place.publish(old)
    change(place)
    expect(await place.isLastWhole()).toBe(false)
    await place.publish(old)
    expect([place.text(post), place.text(twin)]).toEqual(['a', 'a'])
    expect(await place.isLastWhole()).toBe(true)
  })

  it.each<[string, (place: Place) => void, boolean]>([
    ['forced', () => {}, true],
    ['after a kill', (place) => place.write('.unfinished', ''), false],
  ])('is freed of responses that no manifest names: %s', async (_, change, isForced) => {
    const place = new Place()
    await place.publish(old)
    const strange = ['public/v1/acme/posts/secret.json', 'private/v2/acme/posts/secret.json']
    for (const path of strange) place.write(path, 'withdrawn')
    place.write('public/v1/acme/posts/mine.txt', 'mine')
    change(place)
    expect(await place.publish(old, isForced)).toMatchObject({ removed: 2 })
    for (const path of strange) expect(existsSync(join(place.out, path))).toBe(false)
    expect(place.text('public/v1/acme/posts/mine.txt')).toBe('mine')
  })
})

describe('the manifest', () => {
  it('names files in the order in which they are to be uploaded', async () => {
    const site = temporarySite().post('first').post('second')
    await site.build()
    const paths = Object.keys(site.json('manifest.json').files)
    const at = (path: string) => paths.indexOf(path)
    const [list, root] = [at('public/v1/acme/posts/index.json'), at('function/root.json')]
    expect(root).toBe(paths.length - 1)
    for (const slug of ['first', 'second']) {
      const post = at(`public/v1/acme/posts/${slug}.json`)
      expect(post).toBeGreaterThan(paths.findLastIndex((path) => /^function\/part/.test(path)))
      expect(list).toBeGreaterThan(post)
    }
  })
})
