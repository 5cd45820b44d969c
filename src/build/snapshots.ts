// The snapshot of a workspace: its files are written first, as a function reads them, and then opened to respond from.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { utf8 } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feeds.ts'
import { browserFolder, browserPrograms, publicFolder } from '../api/paths.ts'
import { type Author, authorJson, type Term, type TermKind, termJson } from '../api/resources.ts'
import type { Channel, Snapshot, TranslationRow } from '../api/snapshot.ts'
import { indexedFields } from '../model/custom-fields.ts'
import {
  type Collection,
  hidesTranslations,
  instantsOfTranslations,
  type Workspace,
} from '../model/library.ts'
import type { ReadPost } from '../model/posts.ts'
import { fold } from '../search/fold.ts'
import {
  encodeRoot,
  functionFolder,
  type IndexTerm,
  type RootCollection,
  type RootWorkspace,
  rootName,
  schema,
} from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import {
  type SnapshotFile,
  type SnapshotInput,
  type WrittenPost,
  writeSnapshot,
} from '../snapshot/write.ts'
import type { BodyTexts } from './bodies.ts'
import type { BuildCache } from './cache.ts'
import { readRange, sha256 } from './disk.ts'
import type { Output } from './output.ts'
import type { SiteWorkspace } from './site.ts'

/** Adds a file of the function, or of the public view. Files are named by their content: workspaces share them. */
export async function addData(
  output: Output,
  { name, make }: SnapshotFile,
  folder: string = functionFolder,
): Promise<void> {
  const path = `${folder}/${name}`
  if (!output.files.has(path)) await output.add({ bytes: make, etag: name, paths: [path] })
}

/** Adds the files of a workspace, and opens them: the snapshot can be read until the build is published. */
export async function addSnapshot(
  input: SnapshotInput,
  output: Output,
  cache: BuildCache,
): Promise<{ readonly index: string; readonly snapshot: Snapshot }> {
  const { files, index } = await writeSnapshot(input, { sha256, cache: cache.terms })
  for (const file of files) await addData(output, file)
  const data = new DataFiles({
    sha256,
    read: (name, from, to) => readRange(output.fileOf(`${functionFolder}/${name}`), from, to),
  })
  const opened = await openSnapshot(index, data, input.fields)
  const history = () => {
    throw new Error('The build has no id yet.')
  }
  return { index, snapshot: { ...opened, history } }
}

/**
 * What the function knows of a workspace.
 *
 * @param bodies one per post
 * @param scheduled number of posts that are scheduled at the time of the build
 */
export function inputOf(
  workspace: Workspace,
  bodies: readonly BodyTexts[],
  scheduled: number,
  assets: SnapshotInput['assets'],
): SnapshotInput {
  const termsOf = <T extends Term | Author>(
    kind: TermKind,
    all: readonly T[],
    json: (term: T) => string,
  ) => {
    const created = new Set(workspace.created[kind])
    return all.map((term): IndexTerm => {
      const { id, slug } = term
      return { slug, id, json: json(term), ...(created.has(id) ? { isCreated: true } : {}) }
    })
  }
  const { collection } = workspace
  const rows = new Map(workspace.posts.map(({ post }, row) => [post.id, row]))
  const own = collection?.own ?? null
  const order = typeof own === 'string' ? own : own?.flatMap((id) => rows.get(id) ?? [])
  return {
    kind: collection?.kind ?? 'posts',
    ...(order === undefined ? {} : { own: order }),
    posts: workspace.posts.map((each, at): WrittenPost => {
      const { post, publishedAt, expiresAt, isDraft = false, isData = false, aliases } = each
      const body = bodies[at] as BodyTexts
      const part = (name: 'html' | 'markdown') => ({
        size: body.size(name),
        digest: body.digest(name),
        read: () => body.read(name),
      })
      const read = () => utf8(fold(Buffer.from(body.read('text')).toString()))
      const text = { digest: body.digest('text'), read }
      const parts = { html: part('html'), markdown: part('markdown'), text }
      return { post, publishedAt, expiresAt, isDraft, isData, aliases, ...parts }
    }),
    terms: {
      categories: termsOf('categories', workspace.categories, termJson),
      tags: termsOf('tags', workspace.tags, termJson),
      authors: termsOf('authors', workspace.authors, authorJson),
    },
    fields: indexedFields(workspace.fields),
    channel: channelOf(workspace),
    ...languageOf(workspace),
    assets,
    unindexed: scheduled,
  }
}

function languageOf({ language, posts }: Workspace): Pick<SnapshotInput, 'language'> {
  if (language === null) return {}
  const { locale, others, translationsOf } = language
  return { language: { locale, others, rows: posts.map(translationsOf) } }
}

function channelOf({ id, name, destinations, posts, collection }: Workspace): Channel | null {
  const { post, baseUrl } = destinations.settings
  if (collection !== null || post === null || !isAbsoluteLink(post)) return null
  const own = posts.flatMap(({ post, url }) => (url === null ? [] : [[post.id, url] as const]))
  const urls = own.length === 0 ? {} : { urls: Object.fromEntries(own) }
  return { workspace: id, name, postLink: post, baseUrl, ...urls }
}

/** A collection as it is written: the number of its scheduled items, and the name of its index. */
export type WrittenCollection = readonly [collection: Workspace, scheduled: number, index: string]

/** A workspace as the root has it. */
export function rootOf(
  workspace: Workspace,
  scheduled: number,
  index: string,
  written: readonly WrittenCollection[],
  now: number,
): RootWorkspace {
  const { id, isV1Private, keys, language } = workspace
  const spaces = new Map([['posts', workspace]])
  for (const [each] of written) spaces.set(each.collection?.name ?? '', each)
  const own = written.map(([collection, later, name]): RootCollection => {
    const { name: of, order } = collection.collection as Collection
    return { name: of, order, ...rowsOf(collection, later, spaces, now), index: name }
  })
  const collections = own.filter(({ name }) => name !== '')
  const singletons = own.find(({ name }) => name === '')
  return {
    ...{ id, isV1Private, keys, ...rowsOf(workspace, scheduled, spaces, now), index },
    ...(language === null ? {} : { group: language.group }),
    ...(collections.length === 0 ? {} : { collections }),
    ...(singletons === undefined ? {} : { singletons }),
  }
}

/** What the root has of posts or items. */
function rowsOf(
  workspace: Workspace,
  scheduled: number,
  spaces: ReadonlyMap<string, Workspace>,
  now: number,
) {
  const { posts: rows, fields: defined, lastExpiry, language } = workspace
  const fields = indexedFields(defined)
  const own = fields.length === 0 ? {} : { fields }
  const next = rows.slice(0, scheduled).map(({ publishedAt }) => publishedAt)
  // Responses change with the resources that they name, too.
  const posts = spaces.get('posts')
  const targetOf = (to: string) =>
    spaces.get(to) ?? (to !== '' && posts?.createsTerms ? posts : undefined)
  const named = new Set(defined.flatMap(({ to }) => targetOf(to)?.posts ?? []))
  const lapses = [...named].flatMap(({ expiresAt }) => expiresAt ?? [])
  const others = instantsOfTranslations(workspace)
  const expiries = [
    ...rows.flatMap(({ expiresAt }) => expiresAt ?? []),
    ...lapses,
    ...others.filter((instant) => instant > now),
  ]
  const later = [...new Set([...next, ...expiries])].sort((a, b) => a - b)
  const past = others.findLast((instant) => instant <= now) ?? 0
  const instants = [Math.max(rows[scheduled]?.publishedAt ?? 0, lastExpiry, past), ...later]
  const expiring = expiries.length === 0 ? {} : { expiring: expiries.length }
  const references = defined.flatMap(({ name, to }) => (to === '' ? [] : [{ name, to }]))
  return {
    ...{ scheduled, ...expiring, instants, ...own },
    ...(references.length === 0 ? {} : { references }),
    ...(lapses.length === 0 ? {} : { areReferencesLasting: false as const }),
    ...(language === null ? {} : { locale: language.locale }),
    ...(hidesTranslations(workspace) ? { hidesTranslations: true as const } : {}),
  }
}

/**
 * Adds the public view and the function to the output.
 *
 * @param openapi the description of the interface
 */
export async function addPublicView(
  sites: readonly SiteWorkspace[],
  openapi: SnapshotFile,
  output: Output,
  cache: BuildCache,
  { limitAll, now }: { readonly limitAll: boolean; readonly now: number },
): Promise<void> {
  const workspaces: RootWorkspace[] = []
  await addData(output, openapi, browserFolder)
  const write = async ({ workspace: all, bodyOf }: SiteWorkspace) => {
    const workspace = visibleAt(all, now)
    // Images and custom fields are listed with a key alone.
    const input = inputOf(workspace, workspace.posts.map(bodyOf), 0, { media: [], fields: [] })
    const { files, index } = await writeSnapshot(input, { sha256, cache: cache.terms })
    for (const { name, make } of files) {
      const path = `${functionFolder}/${name}`
      // Most files are the function's too, and were made for it.
      const bytes = output.files.has(path) ? () => readFileSync(output.fileOf(path)) : make
      await addData(output, { name, make: bytes }, browserFolder)
    }
    return { workspace, index }
  }
  for (const site of sites) {
    if (site.workspace.isV1Private) continue
    const own: WrittenCollection[] = []
    for (const each of site.collections) {
      const { workspace, index } = await write(each)
      own.push([workspace, 0, index])
    }
    const { workspace, index } = await write(site)
    workspaces.push(rootOf(workspace, 0, index, own, now))
  }
  const view = { openapi: openapi.name, limitAll, workspaces }
  const build = hash('sha256', JSON.stringify(view)).slice(0, 16)
  const root = () => encodeRoot({ schema, build, ...view }, sha256)
  for (const name of browserPrograms) {
    const file = createRequire(import.meta.url).resolve(`#functions/${name}`)
    const bytes = () => readFileSync(file)
    await output.add({ bytes, paths: [`${publicFolder}/${name}`] })
  }
  await output.add({ bytes: root, paths: [`${browserFolder}/${rootName}`] })
}

/** A workspace without its keys, its scheduled posts, and the terms that only these name. */
function visibleAt(workspace: Workspace, now: number): Workspace {
  const posts = workspace.posts.filter(({ publishedAt }) => publishedAt <= now)
  const named = new Set<string>()
  for (const { post } of posts) {
    for (const { id } of [post.category, ...post.tags, ...post.authors]) named.add(id)
  }
  const shown = <T extends Term | Author>(kind: TermKind, terms: readonly T[]) => {
    const hidden = new Set(workspace.created[kind].filter((id) => !named.has(id)))
    return terms.filter(({ id }) => !hidden.has(id))
  }
  return {
    ...workspace,
    keys: [],
    posts,
    language: shownLanguage(workspace.language, now),
    lastExpiry: 0,
    categories: shown('categories', workspace.categories),
    tags: shown('tags', workspace.tags),
    authors: shown('authors', workspace.authors),
  }
}

/** A language without the translations that v1 hides, or that are scheduled. */
function shownLanguage(language: Workspace['language'], now: number): Workspace['language'] {
  if (language === null) return null
  const others = language.others.filter(({ isHidden }) => !isHidden)
  const places = new Map(language.others.map((other, at) => [at, others.indexOf(other)]))
  const translationsOf = (post: ReadPost) =>
    language
      .translationsOf(post)
      .flatMap(([other, id, slug, from, until, url]): TranslationRow[] => {
        const at = places.get(other) ?? -1
        return at === -1 || from > now ? [] : [[at, id, slug, from, until, url]]
      })
  return { ...language, others, translationsOf }
}
