// What a build makes of its answers where nothing but bodies has changed since the last one: those that hold one of
// these, and no other. Knows nothing of how that is kept.
import { hash } from 'node:crypto'
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../src/api/answer.ts'
import { respond } from '../../src/api/respond.ts'
import { openOutput } from '../../src/emit/output-folder.ts'
import { type Precompute, planWorkspace } from '../../src/emit/plan.ts'
import { Publication } from '../../src/emit/publication.ts'
import type { MemorySnapshot } from '../../src/emit/snapshot.ts'
import { LastAnswers } from '../../src/pipeline/last-answers.ts'
import type { Site } from '../../src/pipeline/site.ts'
import { writeSite } from '../../src/pipeline/write-site.ts'
import { contentsOf } from '../support/contents.ts'
import { someNoon, type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const precompute: Precompute = {
  versions: ['v1', 'v2'],
  formats: ['html', 'markdown'],
  pageSizes: [2, 3],
  lists: ['default'],
  ids: false,
}

it('is planned which bodies each answer holds, whatever its order', async () => {
  const { workspaces } = await site().load()
  const [only] = workspaces
  if (only === undefined) return expect.unreachable('no workspace')
  const { workspace, snapshot } = only
  const ranges = new Set<string>()
  for (const { request, paths, bodies } of planWorkspace(
    workspace,
    snapshot,
    { ...precompute, lists: ['default', 'asc', 'excludeContent', 'all', 'asc+all'] },
    someNoon,
  )) {
    const { start, end } = bodies
    const { body } = await respond(request, snapshot, someNoon)
    const held = body.filter(isBody).map(({ ordinal }) => ordinal)
    held.sort((a, b) => a - b)
    expect([paths, held]).toEqual([
      paths,
      Array.from({ length: end - start }, (_, at) => start + at),
    ])
    ranges.add(`${start}-${end}`)
  }
  // The first post is not published yet.
  expect([...ranges].sort().join(' ')).toBe('0-0 1-2 1-3 1-4 1-7 2-3 3-4 3-5 4-5 4-7 5-6 5-7 6-7')
})

describe('where nothing but bodies has changed', () => {
  it('those answers alone are made that hold one of them, and the others are kept', async () => {
    const [edited, clean] = [site(), editBody(site())]
    await edited.build()
    expect(await made(editBody(edited))).toEqual([
      // The plan and the bundle of the function ask for the terms once each.
      ...['authors', 'authors', 'categories', 'categories'].map((kind) => `list of ${kind}`),
      ...new Array(4).fill('list of posts'),
      ...['list of tags', 'list of tags'],
      ...new Array(2).fill('post-3'),
    ])
    await clean.build()
    expect(contentsOf(edited.out)).toEqual(contentsOf(clean.out))
  })

  it.each([
    ['posts of two workspaces', ['acme/posts/post-2', 'other/posts/b']],
    ['the post of another workspace', ['other/posts/a']],
    ['several posts of one', ['acme/posts/post-1', 'acme/posts/post-4', 'acme/posts/post-6']],
  ])('the answers of %s are others', async (_, names) => {
    const [edited, clean] = [twoWorkspaces(), twoWorkspaces()]
    await edited.build()
    for (const one of [edited, clean]) for (const name of names) append(one, name, 'More.\n')
    await Promise.all([edited.build(), clean.build()])
    expect(contentsOf(edited.out)).toEqual(contentsOf(clean.out))
  })

  it('an answer is another one where its Markdown alone is', async () => {
    const [edited, clean] = [site(), site()]
    await edited.post('post-3', dated(3), '*One.*\n').build()
    await edited.post('post-3', dated(3), '_One._\n').build()
    await clean.post('post-3', dated(3), '_One._\n').build()
    expect(contentsOf(edited.out)).toEqual(contentsOf(clean.out))
  })

  it('every answer is looked at once somebody has touched one of them, and that one is mended', async () => {
    const touched = site()
    await touched.build()
    const list = join(touched.out, 'public/v1/acme/posts/_limit/2/index.json')
    const before = readFileSync(list, 'utf8')
    writeFileSync(list, before.replace('post-6', 'post-?'))
    await editBody(touched).build()
    expect(readFileSync(list, 'utf8')).toBe(before)
  })

  it('nothing is kept of another build than the last one', async () => {
    const replaced = site()
    await replaced.build()
    cpSync(replaced.out, join(replaced.folder, 'older'), { recursive: true })
    await replaced.post('post-5', dated(5), 'Another fifth.\n').build()
    rmSync(replaced.out, { recursive: true })
    cpSync(join(replaced.folder, 'older'), replaced.out, { recursive: true })
    await editBody(replaced).build()
    const clean = editBody(site().post('post-5', dated(5), 'Another fifth.\n'))
    await clean.build()
    expect(contentsOf(replaced.out)).toEqual(contentsOf(clean.out))
  })
})

describe('nothing is known of the last answers', () => {
  it.each<[string, (site: TemporarySite) => unknown, Partial<Asked>]>([
    ['a title changed', (site) => site.post('post-3', { ...dated(3), title: 'Other' }), {}],
    ['a post was added', (site) => site.post('another'), {}],
    ['a post was removed', (site) => site.remove('content/acme/posts/post-3.md'), {}],
    ['a term changed', (site) => site.write('content/acme/categories/news.md', news), {}],
    ['a post is published by now', () => {}, { now: Date.UTC(2028, 0, 1) }],
    ['other pages are asked for', () => {}, { pageSizes: [3, 2] }],
    ['other lists are asked for', () => {}, { lists: ['asc'] }],
    ['other formats are asked for', () => {}, { formats: ['markdown', 'html'] }],
    ['other versions are asked for', () => {}, { versions: ['v2'] }],
    ['ids are asked for', () => {}, { ids: true }],
    ['it was another manifest', () => {}, { manifest: hash('sha256', '') }],
  ])('where %s', async (_, change, asked) => {
    const changed = site()
    await changed.build()
    change(changed)
    expect(await knows(changed, asked)).toBe(false)
  })

  it('where the library is not known, or there are others', async () => {
    const one = site()
    await one.build()
    const loaded = await loadWithCache(one)
    const changedSince = (of: Site) =>
      new LastAnswers(of, precompute, someNoon).changedSince(one.manifestHash)
    expect(changedSince(loaded)).toBeDefined()
    new LastAnswers({ ...loaded, library: '' }, precompute, someNoon).keep(one.manifestHash)
    expect(changedSince({ ...loaded, library: '' })).toBeUndefined()
    expect(changedSince({ ...loaded, workspaces: [] })).toBeUndefined()
  })

  it('where no build was, and is where nothing changed', async () => {
    const same = site()
    expect(await knows(same, { manifest: '' })).toBe(false)
    await same.build()
    expect(await knows(same, {})).toBe(true)
  })
})

const news = '---\nname: The news\n---\nWhat is new.\n'

/** What is asked for, and of which build. */
interface Asked extends Precompute {
  readonly now: number
  readonly manifest: string
}

/** Six posts, a day apart, and one that is scheduled. */
function site(): TemporarySite {
  const made = temporarySite({ cache: 'cache', precompute })
  return made.posts(6).post('post-7', { publishedAt: '2027-01-01' })
}

function twoWorkspaces(): TemporarySite {
  const made = site().write('content/other/workspace.yml', 'name: Other\nreferences: create\n')
  for (const name of ['a', 'b', 'c']) {
    const head = `title: ${name}\ncategory: news\ndate: 2026-01-02`
    made.write(`content/other/posts/${name}.md`, `---\n${head}\n---\nText of ${name}.\n`)
  }
  return made
}

/** @param name of a post's file below the content folder, without `.md` */
function append(site: TemporarySite, name: string, text: string): void {
  appendFileSync(join(site.content, `${name}.md`), text)
}

function dated(day: number): { readonly publishedAt: string } {
  return { publishedAt: new Date(Date.UTC(2026, 0, day)).toISOString() }
}

function editBody(site: TemporarySite): TemporarySite {
  return site.post('post-3', dated(3), 'Another text.\n')
}

async function knows(
  site: TemporarySite,
  { now = someNoon, manifest = site.manifestHash, ...asked }: Partial<Asked>,
): Promise<boolean> {
  const loaded = await loadWithCache(site)
  const last = new LastAnswers(loaded, { ...precompute, ...asked }, now)
  return last.changedSince(manifest) !== undefined
}

/** Writes the site down. @returns what was asked of it for answers, sorted */
async function made(site: TemporarySite): Promise<readonly string[]> {
  const loaded = await loadWithCache(site)
  const asked: string[] = []
  const workspaces = loaded.workspaces.map(({ workspace, snapshot }) => ({
    workspace,
    snapshot: watched(snapshot, asked),
  }))
  const publication = new Publication(await openOutput(site.out, site.content))
  try {
    const options = { precompute, limitAll: true, now: someNoon }
    await writeSite({ ...loaded, workspaces }, publication, options)
  } finally {
    await publication.discard()
  }
  return asked.sort()
}

/** Each answer begins with one of these. */
function watched(snapshot: MemorySnapshot, asked: string[]): MemorySnapshot {
  return {
    ...snapshot,
    findPost: (identifier) => {
      asked.push(identifier)
      return snapshot.findPost(identifier)
    },
    select: (filter, first) => {
      asked.push('list of posts')
      return snapshot.select(filter, first)
    },
    findTerm: (kind, identifier) => {
      asked.push(identifier)
      return snapshot.findTerm(kind, identifier)
    },
    termCount: (kind) => {
      asked.push(`list of ${kind}`)
      return snapshot.termCount(kind)
    },
  }
}

function isBody(chunk: Chunk): chunk is Exclude<Chunk, string> {
  return typeof chunk !== 'string' && (chunk.part === 'html' || chunk.part === 'markdown')
}

async function loadWithCache(site: TemporarySite): Promise<Site> {
  return site.load(join(site.folder, 'cache'))
}
