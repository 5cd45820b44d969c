// A build of one workspace leaves what a build of all leaves, and does not look at the others.
// Knows nothing of how either is made.
import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { build } from '../../src/build.ts'
import { resolveSettings } from '../../src/config.ts'
import { BuildError } from '../../src/diagnostics.ts'
import { caseCount } from '../support/cases.ts'
import { contentsOf } from '../support/contents.ts'
import fc from '../support/fast-check.ts'
import { someNoon, TemporarySite, temporarySite } from '../support/temporary-site.ts'

const ids = ['acme', 'beta', 'gamma'] as const

type Fields = Readonly<Record<string, string>>

/** A post of a workspace that makes its own terms. */
function writePost(site: TemporarySite, id: string, name: string, body: string, more: Fields = {}) {
  const fields = { title: name, category: 'news', publishedAt: '2026-01-02', ...more }
  const head = Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')
  site.write(`content/${id}/posts/${name}.md`, `---\n${head}---\n${body}\n`)
}

function threeWorkspaces(
  config: ConstructorParameters<typeof TemporarySite>[0] = {},
): TemporarySite {
  const site = temporarySite({ cache: 'cache', ...config })
  for (const id of ids) {
    site.write(`content/${id}/workspace.yml`, `name: Site ${id}\nreferences: create\n`)
    for (const name of ['one', 'two']) writePost(site, id, name, `Text of ${name}.`)
  }
  return site
}

/** What a build of all makes of the same content in another folder. */
async function cleanContents(site: TemporarySite): Promise<Readonly<Record<string, string>>> {
  const out = join(site.folder, 'clean')
  rmSync(out, { recursive: true, force: true })
  const place = { content: site.content, out, project: site.folder }
  await build(resolveSettings({ ...site.config, ...place, cache: false }), { now: someNoon })
  return contentsOf(out)
}

/** The first problem that ended a build. */
async function problemOf(built: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await built.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof BuildError ? error.diagnostics[0]?.message : String(error)
}

type Edit = (site: TemporarySite, id: string) => void

const post =
  (name: string, body: string, fields?: Fields): Edit =>
  (site, id) =>
    writePost(site, id, name, body, fields)

const edits = fc.constantFrom<Edit>(
  post('one', 'Other text.'),
  post('one', 'Text of one.'),
  (site, id) => {
    site.write(`content/${id}/workspace.yml`, 'name: Other\nreferences: create\n')
    writePost(site, id, 'two', '![An image](dot.png)')
  },
  post('three', 'A new post.', { tags: '[fresh]' }),
  post('later', 'A scheduled post.', { publishedAt: '2026-12-01', tags: '[soon]' }),
  (site, id) =>
    site.write(`content/${id}/posts/three.md`, '').remove(`content/${id}/posts/three.md`),
  (site, id) => site.write(`content/${id}/posts/dot.png`, Buffer.from('89504e470d0a1a0a', 'hex')),
  (site, id) => {
    site.write(`content/${id}/workspace.yml`, 'v1: private\nreferences: create\n')
    writePost(site, id, 'two', 'No image is shown in a private workspace.')
  },
)

describe('a build of one workspace', () => {
  it('leaves the files that a build of all leaves, whatever was edited in it', async () => {
    const rounds = fc.array(fc.tuple(fc.constantFrom(...ids), fc.array(edits, { minLength: 1 })), {
      minLength: 1,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const site = threeWorkspaces()
        await site.build()
        for (const [workspace, changes] of rounds) {
          site.write(`content/${workspace}/posts/dot.png`, Buffer.from('89504e470d0a1a0a', 'hex'))
          for (const change of changes) change(site, workspace)
          await site.build({ workspace })
          expect(contentsOf(site.out)).toEqual(await cleanContents(site))
        }
        // Nothing is left to do, and the stamp is as good as that of a build of all.
        expect((await site.build()).changes).toMatchObject({ written: 0 })
        expect(contentsOf(site.out)).toEqual(await cleanContents(site))
      }),
      { numRuns: caseCount(8, 2) },
    )
  })

  it('writes and reads nothing of the others', async () => {
    const site = threeWorkspaces()
    await site.build()
    // An error in another workspace is not found, as nothing of it is read.
    site.write('content/beta/posts/broken.md', '---\ntitle: [\n---\n')
    writePost(site, 'acme', 'one', 'Other text.')
    const before = new Map(site.files().map((file) => [file, statSync(join(site.out, file)).ino]))
    const { changes, rendered } = await site.build({ workspace: 'acme' })
    expect(rendered).toBe(1)
    expect(changes.written).toBeGreaterThan(0)
    const changed = site
      .files()
      .filter((file) => statSync(join(site.out, file)).ino !== before.get(file))
    expect(changed.filter((file) => /\/(?:beta|gamma)\//.test(file))).toEqual([])
    expect(changed.filter((file) => file.startsWith('function/')).length).toBe(changes.written - 8)
    await expect(site.build()).rejects.toThrow(BuildError)
  })

  it('vouches for no file of the others: one that was changed is made good by the next build of all', async () => {
    const site = threeWorkspaces()
    await site.build()
    const path = 'public/v1/beta/posts/one.json'
    const whole = contentsOf(site.out)
    const text = site.text(path)
    site.write(`dist/${path}`, text.replace('Text', 'Tixt'))
    await site.build({ workspace: 'acme' })
    writePost(site, 'acme', 'one', 'Other text.')
    await site.build({ workspace: 'acme' })
    expect(site.text(path)).toContain('Tixt')
    const { changes } = await site.build()
    // The file of v2 is the same one on the disk.
    expect(changes.written).toBe(2)
    expect(contentsOf(site.out)[path]).toBe(whole[path])
  })

  it('leaves a valid stamp: the next build of all finds every file as it was', async () => {
    const site = threeWorkspaces()
    await site.build()
    writePost(site, 'acme', 'one', 'Other text.')
    await site.build({ workspace: 'acme' })
    const { changes } = await site.build()
    expect(changes).toMatchObject({ written: 0, removed: expect.any(Number) })
    const stamp = site.text('.seal')
    expect((await site.build()).changes).toMatchObject({ written: 0, removed: 0 })
    expect(site.text('.seal')).toBe(stamp)
  })

  it('is refused where the last build cannot be kept', async () => {
    const site = threeWorkspaces()
    const only = { workspace: 'acme' }
    await expect(site.build(only)).rejects.toThrow(
      /does not contain a complete build. Build all workspaces first/,
    )
    await site.build()
    await expect(site.build({ workspace: 'acne' })).rejects.toThrow(
      /no workspace "acne". Did you mean "acme"/,
    )
    await expect(site.build({ workspace: '../acme' })).rejects.toThrow(/has no workspace/)
    const other = new TemporarySite({ ...site.config, precompute: { pageSizes: [5] } })
    renameSync(site.content, other.content)
    renameSync(site.out, other.out)
    await expect(other.build(only)).rejects.toThrow(/with this configuration/)
    renameSync(other.content, site.content)
    renameSync(other.out, site.out)
    other.remove('.')
    site.write('dist/.unfinished', '')
    await expect(site.build(only)).rejects.toThrow(/does not contain a complete build/)
    site.remove('dist/.unfinished')
    const index = 'dist/function/index.bin'
    site.write(index, 'other')
    await expect(site.build(only)).rejects.toThrow(/index.bin is not as the last build wrote it/)
  })

  it('takes any name of a folder, but none that differs from another in case alone', async () => {
    const site = threeWorkspaces()
    for (const id of ['constructor', 'a', 'a-b', '2024']) {
      site.write(`content/${id}/workspace.yml`, 'references: create\n')
      writePost(site, id, 'one', `Text of ${id}.`)
    }
    await site.build()
    for (const workspace of ['constructor', 'a', '2024']) {
      writePost(site, workspace, 'one', `Other text of ${workspace}.`)
      expect((await site.build({ workspace })).rendered).toBe(1)
    }
    expect(contentsOf(site.out)).toEqual(await cleanContents(site))
    site.write('content/A/workspace.yml', 'references: create\n')
    await expect(site.build({ workspace: 'A' })).rejects.toThrow(/"A" and "a" differ in nothing/)
  })

  it('refuses the key of another workspace, and a workspace that has lost its posts', async () => {
    const site = threeWorkspaces()
    const key = `- id: k\n  name: Web\n  sha256: ${'a'.repeat(64)}\n  created: 2026-01-02\n`
    site.write('content/beta/keys.yml', key)
    await site.build()
    site.write('content/acme/keys.yml', key)
    await expect(problemOf(site.build({ workspace: 'acme' }))).resolves.toMatch(/of "beta" already/)
    site.remove('content/acme/keys.yml').remove('content/acme/posts')
    await expect(problemOf(site.build({ workspace: 'acme' }))).resolves.toMatch(
      /"acme" has no posts/,
    )
    await site.build({ workspace: 'acme', isEmptyAllowed: true })
    expect(contentsOf(site.out)).toEqual(await cleanContents(site))
  })
})
