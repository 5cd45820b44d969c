// Who can read an output folder: modes, and a process of another user.
import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { build } from '../../src/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { killedAt } from '../support/disk-calls.ts'
import { old, Place } from '../support/output-place.ts'
import { someNoon, temporarySite } from '../support/temporary-site.ts'

const closed = ['private', 'function', 'manifest.json']
const isWindows = process.platform === 'win32'

/** A place in a folder that others may enter, before its first build. */
function openPlace(): Place {
  const place = new Place()
  chmodSync(place.folder, 0o755)
  mkdirSync(place.out)
  chmodSync(place.out, 0o755)
  return place
}

function modes({ out }: { readonly out: string }): Readonly<Record<string, string>> {
  const names = ['public', ...closed]
  return Object.fromEntries(
    names.map((name) => [name, (lstatSync(join(out, name)).mode & 0o777).toString(8)]),
  )
}

const ownerOnly = { public: '755', private: '700', function: '700', 'manifest.json': '600' }
const everyone = { public: '755', private: '755', function: '755', 'manifest.json': '644' }

describe.skipIf(isWindows)('an output folder', () => {
  it('is open as the system has it, unless something is set', async () => {
    const place = openPlace()
    await place.publish(old)
    expect(modes(place)).toEqual(everyone)
    chmodSync(join(place.out, 'private'), 0o750)
    await place.publish({ ...old, 'private/v2/acme/posts/c.json': 'c' })
    expect(modes(place)).toEqual({ ...everyone, private: '750' })
  })

  it('is closed but for public from the first build on', async () => {
    const place = openPlace()
    place.isOwnerOnly = true
    await place.publish(old)
    expect(modes(place)).toEqual(ownerOnly)
    await place.publish({ ...old, 'function/root.json': 'other' })
    expect(modes(place)).toEqual(ownerOnly)
  })

  it.each([
    ['changed', { ...old, 'private/v2/acme/posts/c.json': 'c' }],
    ['changed but for the mode', old],
  ])('is closed and opened where files are there already and nothing else %s', async (_, next) => {
    const place = openPlace()
    await place.publish(old)
    place.isOwnerOnly = true
    await place.publish(next)
    expect(modes(place)).toEqual(ownerOnly)
    place.isOwnerOnly = undefined
    await place.publish(old)
    expect(modes(place)).toMatchObject({ private: '700', function: '700' })
    place.isOwnerOnly = false
    await place.publish(next)
    expect(modes(place)).toEqual(everyone)
  })

  it('is closed and opened by a build that writes nothing, which trusts the folder afterwards', async () => {
    const place = openPlace()
    await place.publish(old)
    for (const [isOwnerOnly, expected] of [
      [true, ownerOnly],
      [false, everyone],
    ] as const) {
      place.isOwnerOnly = isOwnerOnly
      expect((await place.publishLast())?.changes).toMatchObject({ written: 0, removed: 0 })
      expect(modes(place)).toEqual(expected)
      const stamp = lstatSync(join(place.out, '.seal')).ino
      await place.publishLast()
      expect(lstatSync(join(place.out, '.seal')).ino).toBe(stamp)
    }
  })

  it('is closed where the configuration says so, and opened where it says the opposite', async () => {
    const site = temporarySite().post('first')
    for (const [ownerOnly, mode] of [
      [true, '700'],
      [false, '755'],
    ] as const) {
      const { content, out } = site
      await build(resolveSettings({ ...site.config, content, out, ownerOnly }), { now: someNoon })
      expect(modes(site)).toMatchObject({ private: mode, function: mode })
    }
  })

  it('is closed at every instant of its first build', async () => {
    const place = openPlace()
    place.isOwnerOnly = true
    const call = 'renameSync manifest.json'
    expect(await killedAt(call, place.out, () => place.publish(old))).toBe(call)
    const { 'manifest.json': _, ...folders } = ownerOnly
    for (const [name, mode] of Object.entries(folders)) {
      expect((lstatSync(join(place.out, name)).mode & 0o777).toString(8)).toBe(mode)
    }
  })

  it.skipIf(process.getuid?.() !== 0)(
    'is not readable for another user where it is closed',
    async () => {
      const place = openPlace()
      const read = (path: string) =>
        spawnSync('cat', [join(place.out, path)], { uid: 65_534, gid: 65_534 }).status === 0
      const paths = [
        'private/v2/acme/posts/a.json',
        'function/root.json',
        'manifest.json',
        'public/v1/acme/posts/a.json',
      ]
      await place.publish(old)
      expect(paths.filter(read)).toEqual(paths)
      place.isOwnerOnly = true
      await place.publishLast()
      expect(paths.filter(read)).toEqual(['public/v1/acme/posts/a.json'])
      expect(readdirSync(place.out)).toContain('private')
    },
  )
})
