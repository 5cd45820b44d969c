// What a build does that knows the last one: nothing, where all of it is as it was left.
// Knows nothing of content.
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
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
import { decodeManifest } from '../../src/emit/manifest.ts'
import { OutputError } from '../../src/emit/output-error.ts'
import { filesRead } from '../support/disk-calls.ts'
import { old, Place } from '../support/output-place.ts'

const post = 'public/v1/acme/posts/a.json'
const twin = 'private/v2/acme/posts/a.json'

/** What a build may leave that was killed, where no manifest names it. */
const withdrawn = ['public/v1/acme/posts/secret.json', 'private/v2/acme/posts/secret.json']

async function published(): Promise<Place> {
  const place = new Place()
  await place.publish(old)
  return place
}

describe('a build that is there as it was left', () => {
  it('is published with nothing written, and its manifest is told', async () => {
    const place = await published()
    const last = await place.publishLast()
    expect(last?.changes).toEqual({ written: 0, unchanged: 7, removed: 0 })
    const { manifest } = last ?? {}
    expect({ ...manifest }).toEqual(decodeManifest(Buffer.from(place.text('manifest.json'))))
    expect(JSON.stringify(manifest?.files.get(post))).toContain('"stage":"resource"')
  })

  it('is known by its manifest and its seal: nothing else is read', async () => {
    const place = await published()
    // Every file is older than the seal by more than the clock's step.
    await pause(20)
    rmSync(join(place.out, '.seal'))
    await place.publishLast()
    const { manifestHash } = place
    const read = await filesRead(place.out, () => place.publishLast(manifestHash))
    expect(read).toEqual(['manifest.json', '.seal'])
  })

  it('loses data that only a build before it needed', async () => {
    const place = await published()
    const stale = `function/blocks/${'0'.repeat(32)}.bin`
    place.write(stale, 'stale')
    place.write('function/blocks/mine.txt', 'mine')
    expect((await place.publishLast())?.changes).toMatchObject({ written: 0, removed: 1 })
    expect(existsSync(join(place.out, stale))).toBe(false)
    expect(place.text('function/blocks/mine.txt')).toBe('mine')
  })

  it('is found in a copy of the whole folder, which is read once', async () => {
    const place = await published()
    cpSync(place.out, `${place.out}.copy`, { recursive: true })
    rmSync(place.out, { recursive: true })
    renameSync(`${place.out}.copy`, place.out)
    const stamp = () => statSync(join(place.out, '.seal')).ino
    const copied = stamp()
    expect((await place.publishLast())?.changes).toMatchObject({ written: 0, unchanged: 7 })
    const stamped = stamp()
    expect(stamped).not.toBe(copied)
    await place.publishLast()
    expect(stamp()).toBe(stamped)
  })
})

describe('a build that is not there as it was left', () => {
  const damages: readonly (readonly [string, (place: Place) => void])[] = [
    ['a file is missing', ({ out }) => rmSync(join(out, post))],
    ['a file is another one of the same length', (place) => place.write(post, 'A')],
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
      'its manifest was formatted',
      (place) =>
        place.write('manifest.json', JSON.stringify(JSON.parse(place.text('manifest.json')))),
    ],
    ['its manifest is missing', ({ out }) => rmSync(join(out, 'manifest.json'))],
  ]

  it.each(damages)('is not published where %s', async (_, change) => {
    const place = await published()
    const manifest = place.manifestHash
    change(place)
    const stamp = statSync(join(place.out, '.seal')).ino
    expect(await place.publishLast(manifest).catch(refused)).toBeUndefined()
    expect(statSync(join(place.out, '.seal')).ino).toBe(stamp)
  })

  it.each(damages)('is fixed where %s', async (_, change) => {
    const place = await published()
    change(place)
    const changes = await place.publish(old).catch(refused)
    if (changes !== undefined) expect([place.text(post), place.text(twin)]).toEqual(['a', 'a'])
  })

  it('is taken over as it is, and written again where that is forced', async () => {
    const place = await published()
    expect(await place.publish(old)).toMatchObject({ written: 0, unchanged: 7 })
    expect(await place.publish(old, true)).toMatchObject({ written: 7, unchanged: 0 })
    const other = { ...old, 'function/data/part-x.bin': 'BLOCK' }
    expect(await place.publish(other)).toMatchObject({ written: 1, unchanged: 6 })
    expect(place.text('function/data/part-x.bin')).toBe('BLOCK')
  })

  it.each([
    ['public', { 'public/v1/acme/posts/index.json': 'A, B' }],
    ['public/v1/acme/posts', { 'public/v1/acme/posts/index.json': 'A, B' }],
    ['function/blocks', { 'function/data/part-x.bin': 'BLOCK' }],
  ])('is not published where %s is that of an earlier build, nor trusted', async (moved, texts) => {
    const place = new Place()
    await place.publish({ ...old, ...texts })
    renameSync(join(place.out, moved), join(place.folder, 'earlier'))
    await place.publish(old)
    renameSync(join(place.out, moved), join(place.folder, 'latest'))
    renameSync(join(place.folder, 'earlier'), join(place.out, moved))
    expect(await place.publishLast()).toBeUndefined()
    expect(await place.publish(old)).toMatchObject({ written: 1, unchanged: 6 })
    for (const path of Object.keys(texts)) {
      expect(place.text(path)).toBe(new Map(Object.entries(old)).get(path))
    }
    expect((await place.publishLast())?.changes).toMatchObject({ written: 0 })
  })

  it.each(['public/v1', 'private'])(
    'is freed of posts that came with a %s of an earlier build',
    async (moved) => {
      const taken = 'public/v1/acme/posts/taken-back.json,private/v2/acme/posts/taken-back.json'
      const place = new Place()
      await place.publish({ ...old, [taken]: 'taken' })
      renameSync(join(place.out, moved), join(place.folder, 'earlier'))
      await place.publish(old)
      rmSync(join(place.out, moved), { recursive: true })
      renameSync(join(place.folder, 'earlier'), join(place.out, moved))
      expect((await place.publishLast())?.changes).toMatchObject({ written: 0, removed: 1 })
      expect(place.files('public').concat(place.files('private')).join()).not.toContain('taken')
    },
  )

  it.each<[string, (place: Place) => void]>([
    ['is missing', ({ out }) => rmSync(join(out, '.seal'))],
    [
      'names no manifest',
      (place) => place.write('.seal', place.text('.seal').replace(/.*\n$/, '')),
    ],
    [
      'names another manifest',
      (place) => place.write('.seal', place.text('.seal').replace(/.*\n$/, `${'0'.repeat(64)}\n`)),
    ],
  ])('is read whole where its seal %s, and freed of what it does not name', async (_, change) => {
    const place = await published()
    for (const path of withdrawn) place.write(path, 'withdrawn')
    change(place)
    const read = await filesRead(place.out, () => place.publishLast())
    expect(read.filter((path) => path.includes('/'))).toHaveLength(7)
    for (const path of withdrawn) expect(existsSync(join(place.out, path))).toBe(false)
    expect((await place.publishLast())?.changes).toMatchObject({ written: 0, removed: 0 })
  })

  it('is freed of what it does not name where everything is forced, whatever its seal says', async () => {
    const place = await published()
    for (const path of withdrawn) place.write(path, 'withdrawn')
    place.write('public/v1/acme/posts/mine.txt', 'mine')
    expect(await place.publish(old, true)).toMatchObject({ removed: withdrawn.length })
    for (const path of withdrawn) expect(existsSync(join(place.out, path))).toBe(false)
    expect(place.text('public/v1/acme/posts/mine.txt')).toBe('mine')
  })

  it('is freed of folders that a killed build left empty, and of no others', async () => {
    const place = await published()
    for (const path of [
      'public/v1/acme/tags/_posts',
      'public/media',
      'function/x',
      'public/mine/own',
    ]) {
      mkdirSync(join(place.out, path), { recursive: true })
    }
    rmSync(join(place.out, '.seal'))
    await place.publishLast()
    expect(readdirSync(join(place.out, 'public/v1/acme'))).toEqual(['posts'])
    expect(readdirSync(join(place.out, 'public')).sort()).toEqual(['mine', 'v1'])
    expect(readdirSync(join(place.out, 'public/mine'))).toEqual(['own'])
    expect(readdirSync(join(place.out, 'function')).sort()).toEqual(['data', 'root.json'])
  })

  it('is freed of a post that a manifest of before does not name', async () => {
    const taken = 'public/v1/acme/posts/taken-back.json'
    const place = await published()
    const manifest = place.text('manifest.json')
    await place.publish({ ...old, [taken]: 'taken' })
    place.write('manifest.json', manifest)
    expect(await place.publish(old)).toMatchObject({ removed: 1 })
    expect(existsSync(join(place.out, taken))).toBe(false)
  })

  it('is published where somebody adds files of their own, and no file is read for it', async () => {
    const place = await published()
    const stamp = () => statSync(join(place.out, '.seal')).ino
    const first = stamp()
    place.write('public/robots.txt', 'all')
    place.write('public/v1/acme/posts/mine.txt', 'mine')
    expect((await place.publishLast())?.changes).toMatchObject({ written: 0 })
    expect(stamp()).toBe(first)
  })

  it('is refused where a folder is a link', async () => {
    const place = await published()
    renameSync(join(place.out, 'private'), join(place.folder, 'private'))
    symlinkSync(join(place.folder, 'private'), join(place.out, 'private'))
    await expect(place.publishLast()).rejects.toThrow(/a link, which is never followed/)
  })

  it('is not published as another one, nor where everything is forced', async () => {
    const place = await published()
    expect(await place.publishLast('0'.repeat(64))).toBeUndefined()
    expect(await place.publishLast(place.manifestHash, true)).toBeUndefined()
  })
})

/** A folder without its manifest is somebody else’s. */
function refused(error: unknown): undefined {
  expect(error).toBeInstanceOf(OutputError)
}
