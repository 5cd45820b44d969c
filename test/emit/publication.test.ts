// Publications: what is made, written, kept and removed, and what somebody else may have done in between.
// Knows nothing of content.
import {
  chmodSync,
  cpSync,
  lstatSync,
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
import { describe, expect, it } from 'vitest'
import { listFiles, openOutput } from '../../src/emit/output-folder.ts'
import { Publication } from '../../src/emit/publication.ts'
import { old, Place } from '../support/output-place.ts'

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

  it('is made again when everything is forced', async () => {
    const place = new Place()
    await place.publish(old)
    expect(await place.publish(old, true)).toEqual({
      made: Object.keys(old),
      written: 7,
      unchanged: 0,
      removed: 0,
    })
  })
})

describe('an answer’s tag', () => {
  it('is kept in the manifest', async () => {
    const place = new Place()
    await place.publish(old)
    const { files } = JSON.parse(place.text('manifest.json'))
    expect(files['public/v1/acme/posts/a.json'].etag).toBe('"a"')
    expect(files['function/root.json']).not.toHaveProperty('etag')
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

  it('is found in a copy of the whole folder, and nothing else is written', async () => {
    const place = new Place()
    await place.publish(old)
    place.write(file, 'A, B')
    cpSync(place.out, `${place.out}.copy`, { recursive: true })
    rmSync(place.out, { recursive: true })
    renameSync(`${place.out}.copy`, place.out)
    expect(await place.publish(old)).toMatchObject({ written: 1, unchanged: 6 })
    expect(place.text(file)).toBe('a, b')
  })

  it('is read once when it only has another owner or mode', async () => {
    const place = new Place()
    await place.publish(old)
    const stamp = () => statSync(join(place.out, '.seal')).ino
    const first = stamp()
    chmodSync(join(place.out, file), 0o600)
    expect(await place.publish(old)).toMatchObject({ made: untagged, written: 0 })
    const second = stamp()
    expect(second).not.toBe(first)
    expect(await place.publish(old)).toMatchObject({ made: untagged, written: 0 })
    expect(stamp()).toBe(second)
  })
})

describe('names of one file', () => {
  const [first, second] = ['public/v1/acme/posts/a.json', 'private/v2/acme/posts/a.json']

  it('are not taken for the same when a folder on the way was put in the place of another', async () => {
    const place = new Place()
    await place.publish(old)
    const [folder, other] = [join(place.out, 'private/v2'), join(place.folder, 'other')]
    cpSync(folder, other, { recursive: true, preserveTimestamps: true })
    writeFileSync(join(other, 'acme/posts/a.json'), 'A')
    renameSync(folder, join(place.folder, 'kept'))
    renameSync(other, folder)
    expect(await place.publish(old)).toMatchObject({ written: 1 })
    expect(place.text(second)).toBe('a')
  })

  it('are not taken for the same when somebody else has as many names of one of them', async () => {
    const place = new Place()
    await place.publish(old)
    renameSync(join(place.out, 'private'), join(place.folder, 'moved'))
    expect(await place.publish(old)).toMatchObject({ written: 2 })
    place.write(second, 'A')
    expect(await place.publish(old)).toMatchObject({ written: 1 })
    expect(place.text(second)).toBe('a')
  })

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
      `"files": {\n    ${JSON.stringify(path)}:{"stage":"data","bytes":1,"sha256":"${'0'.repeat(64)}"},\n`,
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
    ['misses a line', (text) => text.replace(/.*function\/blocks.*\n/, '')],
    ['was cut', (text) => text.slice(0, -20)],
    ['says another hash', (text) => text.replace(/"sha256":"./g, '"sha256":"0')],
    ['was formatted', (text) => JSON.stringify(JSON.parse(text))],
    ['says nothing of stages', (text) => text.replace(/"stage":"\w+",/g, '')],
    ['has a line break less', (text) => text.replace('},\n    "public', '}, "public')],
    ['has a blank more', (text) => text.replaceAll('":{"stage"', '": {"stage"')],
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

describe('the seal', () => {
  it('says no other time when it is touched', async () => {
    const place = new Place()
    await place.publish(old)
    const file = 'public/v1/acme/posts/index.json'
    place.write(file, 'A, B')
    const later = new Date(Date.now() + 60_000)
    utimesSync(join(place.out, '.seal'), later, later)
    await place.publish(old)
    expect(place.text(file)).toBe('a, b')
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
    const hashed = (digit: string) => `function/blocks/${digit.repeat(32)}.bin`
    const place = new Place()
    await place.publish({ ...old, [hashed('1')]: 'one' })
    expect(await place.publish({ ...old, [hashed('2')]: 'two' })).toMatchObject({ removed: 0 })
    expect(place.files('function/blocks')).toContain(hashed('1'))
    expect(await place.publish({ ...old, [hashed('3')]: 'three' })).toMatchObject({ removed: 1 })
    expect(place.files('function/blocks')).not.toContain(hashed('1'))
    expect(await place.publish({ ...old, [hashed('3')]: 'three' })).toMatchObject({ removed: 1 })
    expect(place.files('function/blocks')).toEqual([hashed('3'), 'function/data/part-x.bin'].sort())
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

  it('has a file in the place of a link to one', async () => {
    const place = new Place()
    await place.publish(old)
    const file = join(place.out, 'public/v1/acme/posts/index.json')
    const elsewhere = join(place.folder, 'precious')
    renameSync(file, elsewhere)
    symlinkSync(elsewhere, file)
    await place.publish({ ...old, 'public/v1/acme/posts/index.json': 'new' })
    expect(lstatSync(file).isFile()).toBe(true)
    expect(readFileSync(elsewhere, 'utf8')).toBe('a, b')
  })

  it('is left as it was when two paths differ in case only', async () => {
    const place = new Place()
    await place.publish(old)
    const both = { 'public/v1/W/posts/index.json': 'W', 'public/v1/w/posts/index.json': 'w' }
    await expect(place.publish({ ...old, ...both })).rejects.toThrow(
      'public/v1/W/posts/index.json and public/v1/w/posts/index.json would be one file',
    )
    expect(await place.publish(old)).toMatchObject({ written: 0, removed: 0 })
  })

  it('goes away again when it was made for a build that wrote nothing', async () => {
    const place = new Place()
    const publication = new Publication(
      await openOutput(join(place.folder, 'deep/er/dist'), join(place.folder, 'content')),
    )
    await publication.discard()
    expect(readdirSync(place.folder)).toEqual(['content'])
  })

  it('is built anew when somebody emptied it but for what begins with a dot', async () => {
    const place = new Place()
    await place.publish(old)
    for (const name of ['public', 'private', 'function', 'manifest.json']) {
      rmSync(join(place.out, name), { recursive: true })
    }
    expect(await place.publish(old)).toMatchObject({ written: 7 })
  })

  it('is for one build at a time', async () => {
    const place = new Place()
    await place.publish(old)
    const folder = await openOutput(place.out, join(place.folder, 'content'))
    await expect(place.publish(old)).rejects.toThrow(`process ${process.pid} on`)
    folder.close()
    expect(await place.publish(old)).toMatchObject({ written: 0 })
  })

  it('loses the stages of all builds that ended, whoever made them', async () => {
    const place = new Place()
    await place.publish(old)
    const other = join(place.folder, '.dist.x.1234.stage')
    for (const stage of ['.dist.1.stage', '.dist.0f-3a.stage', 'dist/.stage-0f']) {
      mkdirSync(join(place.folder, stage, 'public'), { recursive: true })
    }
    mkdirSync(other)
    await place.publish(old)
    expect(readdirSync(place.folder).sort()).toEqual(['.dist.x.1234.stage', 'content', 'dist'])
    expect(readdirSync(place.out).sort()).toEqual([
      '.seal',
      'function',
      'manifest.json',
      'private',
      'public',
    ])
  })
})

describe('the manifest', () => {
  it('names files in the order in which they are to be uploaded', async () => {
    const place = new Place()
    await place.publish(old)
    const { files } = JSON.parse(place.text('manifest.json'))
    expect(
      Object.entries<{ stage: string }>(files).map(([path, { stage }]) => [stage, path]),
    ).toEqual([
      ['data', 'function/data/part-x.bin'],
      ['resource', 'private/v2/acme/posts/a.json'],
      ['resource', 'private/v2/acme/posts/b.json'],
      ['resource', 'public/v1/acme/posts/a.json'],
      ['resource', 'public/v1/acme/posts/b.json'],
      ['list', 'public/v1/acme/posts/index.json'],
      ['index', 'function/root.json'],
    ])
  })
})
