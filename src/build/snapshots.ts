// The snapshot of a workspace: the files that a function reads are written, and then opened for responses.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { utf8 } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feeds.ts'
import type { Reference } from '../api/parameter-values.ts'
import { browserFolder, browserPrograms, publicFolder } from '../api/paths.ts'
import {
  type Author,
  authorJson,
  type Term,
  type TermKind,
  termJson,
  termKinds,
} from '../api/resources.ts'
import type { Channel, Snapshot, TranslationRow } from '../api/snapshot.ts'
import { mapTargets } from '../api/targets.ts'
import { indexedFields } from '../model/custom-fields.ts'
import {
  type Collection,
  hasHiddenTranslations,
  translationTimes,
  type Workspace,
} from '../model/library.ts'
import type { ParsedPost } from '../model/posts.ts'
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
import type { BuildCache } from './cache.ts'
import { readRange, sha256 } from './disk.ts'
import type { Output } from './output.ts'
import type { SiteWorkspace } from './site.ts'

/** A workspace or a collection whose files are written. */
export interface Space {
  readonly workspace: Workspace
  /** The kind of its rows in changes. */
  readonly kind: string
  /** Number of posts that are scheduled at the time of the build. */
  readonly scheduled: number
  /** Name of its index. */
  readonly index: string
  /** Name of its index with drafts; absent if there are none. */
  readonly draftIndex?: string
  /** A snapshot that can be read until the build is published. */
  readonly snapshot: Snapshot
  readonly collections: readonly Space[]
}

/** The parts of a workspace that are written. */
interface View {
  readonly workspace: Workspace
  readonly scheduled: number
  readonly assets: SnapshotInput['assets']
}

/** The destination of files. */
interface Target {
  readonly output: Output
  readonly cache: BuildCache
  /** The folder of the function, or of the public view. */
  readonly folder: string
  /** As in `BuildOptions`. */
  readonly isDataOnly?: boolean | undefined
}

const noAssets = { media: [], fields: [] }

/** Adds a data file. Files are named by their content: workspaces and views share them. */
export async function addData(
  output: Output,
  { name, make }: SnapshotFile,
  folder: string = functionFolder,
): Promise<void> {
  const path = `${folder}/${name}`
  if (output.files.has(path)) return
  // Most files of the public view also belong to the function, for which they were made.
  const known = `${functionFolder}/${name}`
  const bytes = output.files.has(known) ? () => readFileSync(output.fileOf(known)) : make
  await output.add({ bytes, etag: name, paths: [path] })
}

/** Adds the files of a workspace and its collections, and opens them. @param now milliseconds since 1970 */
export async function writeSpace(
  site: SiteWorkspace,
  viewOf: (site: SiteWorkspace) => View,
  to: Target,
  now: number,
): Promise<Space> {
  const views = [...site.collections, site].map((each) => ({ site: each, ...viewOf(each) }))
  const all = views.map(({ workspace }) => workspace)
  const areReferencesLasting = all.every((each) => instantsOfTargets(each, all, now).length === 0)
  const data = new DataFiles({
    sha256,
    read: (name, from, until) => readRange(to.output.fileOf(`${to.folder}/${name}`), from, until),
  })
  const history = () => {
    throw new Error('The build has no id yet.')
  }
  const spaces = new Map<string, () => Promise<Snapshot>>()
  const written: Space[] = []
  for (const view of views) {
    const { workspace, scheduled } = view
    const { index, fields } = await writeIndex(view, view.site, to)
    const opened = await openSnapshot(index, data, fields)
    const references = referencesOf(workspace)
    const snapshot = { ...opened, history, references, areReferencesLasting, spaces }
    const { kind, name } = workspace.collection ?? { kind: 'posts', name: '' }
    if (kind !== 'singletons') spaces.set(name, async () => snapshot)
    const named = kind === 'items' ? `collections/${name}` : kind
    written.push({ workspace, kind: named, scheduled, index, snapshot, collections: [] })
  }
  const own = written.pop() as Space
  return { ...own, collections: written }
}

/** Returns the fields that refer to other resources. */
function referencesOf({ fields }: Workspace): readonly Reference[] {
  return fields.flatMap(({ name, to }) => (to === '' ? [] : [{ name, to }]))
}

/** Returns the times when resources that fields of a workspace may refer to appear or expire. */
function instantsOfTargets(
  workspace: Workspace,
  all: readonly Workspace[],
  now: number,
): readonly number[] {
  const kinds = new Set<string>(referencesOf(workspace).map(({ to }) => to))
  const isNamed = ({ collection, createsTerms }: Workspace) =>
    collection === null
      ? kinds.has('posts') || (createsTerms && termKinds.some((kind) => kinds.has(kind)))
      : kinds.has(collection.name)
  return all
    .filter(isNamed)
    .flatMap(({ posts }) =>
      posts.flatMap(({ publishedAt, expiresAt }) => [
        ...(publishedAt > now ? [publishedAt] : []),
        ...(expiresAt === null ? [] : [expiresAt]),
      ]),
    )
}

/** Adds the files with the drafts of a workspace and its collections. */
export async function withDrafts(space: Space, site: SiteWorkspace, to: Target): Promise<Space> {
  const collections: Space[] = []
  for (const [at, each] of space.collections.entries())
    collections.push(await withDrafts(each, site.collections[at] as SiteWorkspace, to))
  const { preview: workspace } = site
  if (workspace === null) return { ...space, collections }
  const { index } = await writeIndex({ workspace, scheduled: 0, assets: noAssets }, site, to)
  return { ...space, collections, draftIndex: index }
}

async function writeIndex(
  { workspace, scheduled, assets }: View,
  { bodyOf }: SiteWorkspace,
  { output, cache, folder, isDataOnly = false }: Target,
) {
  const unindexed = isDataOnly ? workspace.posts.length : scheduled
  const input = inputOf(workspace, bodyOf, unindexed, assets)
  const { files, index } = await writeSnapshot(input, { sha256, cache: cache.terms })
  for (const file of files) await addData(output, file, folder)
  return { index, fields: input.fields }
}

/**
 * Returns the data of a workspace for the function.
 *
 * @param unindexed number of posts without a search index
 */
function inputOf(
  workspace: Workspace,
  bodyOf: SiteWorkspace['bodyOf'],
  unindexed: number,
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
    posts: workspace.posts.map((each): WrittenPost => {
      const { post, publishedAt, expiresAt, hidden, isData = false, aliases } = each
      const body = bodyOf(each)
      const part = (name: 'html' | 'markdown') => ({
        size: body.size(name),
        digest: body.digest(name),
        read: () => body.read(name),
      })
      const read = () => utf8(fold(Buffer.from(body.read('text')).toString()))
      const text = { digest: body.digest('text'), read }
      const parts = { html: part('html'), markdown: part('markdown'), text }
      return { post, publishedAt, expiresAt, isDraft: !!hidden, isData, aliases, ...parts }
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
    unindexed,
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

/** Returns the entry of a workspace in the root. @param now milliseconds since 1970 */
export function rootOf(space: Space, now: number): RootWorkspace {
  const { workspace, index } = space
  const { id, isV1Private, keys, language } = workspace
  const all = [space, ...space.collections].map((each) => each.workspace)
  const drafts = ({ draftIndex }: Space) => (draftIndex === undefined ? {} : { draftIndex })
  const own = space.collections.map((each): RootCollection => {
    const { name, order } = each.workspace.collection as Collection
    return { name, order, ...rowsOf(each, all, now), index: each.index, ...drafts(each) }
  })
  const collections = own.filter(({ name }) => name !== '')
  const singletons = own.find(({ name }) => name === '')
  return {
    ...{ id, isV1Private, keys, ...rowsOf(space, all, now), index },
    ...(language === null ? {} : { group: language.group }),
    ...(collections.length === 0 ? {} : { collections }),
    ...(singletons === undefined ? {} : { singletons }),
    ...drafts(space),
  }
}

/** Returns the data of posts or items in the root. @param all the workspace and its collections */
function rowsOf({ workspace, scheduled, snapshot }: Space, all: readonly Workspace[], now: number) {
  const { posts: rows, fields: defined, lastExpiry, language } = workspace
  const fields = indexedFields(defined)
  const own = fields.length === 0 ? {} : { fields }
  const next = rows.slice(0, scheduled).map(({ publishedAt }) => publishedAt)
  const others = translationTimes(workspace)
  const expiries = [
    ...rows.flatMap(({ expiresAt }) => expiresAt ?? []),
    // Responses also change with the resources that they name.
    ...new Set(instantsOfTargets(workspace, all, now)),
    ...others.filter((instant) => instant > now),
  ]
  const later = [...new Set([...next, ...expiries])].sort((a, b) => a - b)
  const past = others.findLast((instant) => instant <= now) ?? 0
  const instants = [Math.max(rows[scheduled]?.publishedAt ?? 0, lastExpiry, past), ...later]
  const expiring = expiries.length === 0 ? {} : { expiring: expiries.length }
  const { references = [], areReferencesLasting } = snapshot
  return {
    ...{ scheduled, ...expiring, instants, ...own },
    ...(references.length === 0 ? {} : { references }),
    ...(areReferencesLasting === false ? { areReferencesLasting } : {}),
    ...(language === null ? {} : { locale: language.locale }),
    ...(hasHiddenTranslations(workspace) ? { hidesTranslations: true as const } : {}),
  }
}

/**
 * Adds the public view and the function for browsers to the output.
 *
 * @param openapi the description of the interface
 */
export async function addPublicView(
  sites: readonly SiteWorkspace[],
  openapi: SnapshotFile,
  from: Omit<Target, 'folder'>,
  now: number,
): Promise<void> {
  const to = { ...from, folder: browserFolder }
  const { output } = to
  await addData(output, openapi, browserFolder)
  const workspaces: RootWorkspace[] = []
  for (const site of sites) {
    if (site.workspace.isV1Private) continue
    const shown = await publicWorkspaces(site, now)
    // Only requests with a key can list images and custom fields.
    const viewOf = (each: SiteWorkspace) => {
      return { workspace: shown.get(each) as Workspace, scheduled: 0, assets: noAssets }
    }
    const space = await writeSpace(site, viewOf, to, now)
    workspaces.push(rootOf(space, now))
  }
  const view = { openapi: openapi.name, workspaces }
  const build = hash('sha256', JSON.stringify(view)).slice(0, 16)
  const root = () => encodeRoot({ schema, build, ...view }, sha256)
  for (const name of browserPrograms) {
    const file = createRequire(import.meta.url).resolve(`#functions/${name}`)
    const bytes = () => readFileSync(file)
    await output.add({ bytes, paths: [`${publicFolder}/${name}`] })
  }
  await output.add({ bytes: root, paths: [`${browserFolder}/${rootName}`] })
}

/** Returns a workspace and its collections without scheduled posts and without references to them. */
async function publicWorkspaces(
  site: SiteWorkspace,
  now: number,
): Promise<ReadonlyMap<SiteWorkspace, Workspace>> {
  const all = [site, ...site.collections].map((each) => {
    return { each, workspace: visibleAt(each.workspace, now) }
  })
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (named: readonly { readonly id: string }[]) => new Set(named.map(({ id }) => id))
  for (const { workspace } of all) {
    const { collection, posts } = workspace
    ids.set(collection?.name ?? 'posts', idsOf(posts.map(({ post }) => post)))
    if (collection === null) for (const kind of termKinds) ids.set(kind, idsOf(workspace[kind]))
  }
  const shown = new Map<SiteWorkspace, Workspace>()
  for (const { each, workspace } of all) {
    const references = referencesOf(workspace)
    const posts: ParsedPost[] = []
    for (const read of workspace.posts) {
      const { post } = read
      const fields = await mapTargets(post.fields ?? {}, references, async ({ to }, target) =>
        ids.get(to)?.has(target.id) ? target : null,
      )
      posts.push(references.length === 0 ? read : { ...read, post: { ...post, fields } })
    }
    shown.set(each, { ...workspace, posts })
  }
  return shown
}

/** Returns a workspace without its keys, its scheduled posts, and the terms that only scheduled posts name. */
export function visibleAt(workspace: Workspace, now: number): Workspace {
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
    language: visibleLanguage(workspace.language, now),
    lastExpiry: 0,
    categories: shown('categories', workspace.categories),
    tags: shown('tags', workspace.tags),
    authors: shown('authors', workspace.authors),
  }
}

/** Returns a language without translations that v1 hides or that are scheduled. */
function visibleLanguage(language: Workspace['language'], now: number): Workspace['language'] {
  if (language === null) return null
  const others = language.others.filter(({ isHidden }) => !isHidden)
  const places = new Map(language.others.map((other, at) => [at, others.indexOf(other)]))
  const translationsOf = (post: ParsedPost) =>
    language
      .translationsOf(post)
      .flatMap(([other, id, slug, from, until, url]): TranslationRow[] => {
        const at = places.get(other) ?? -1
        return at === -1 || from > now ? [] : [[at, id, slug, from, until, url]]
      })
  return { ...language, others, translationsOf }
}
