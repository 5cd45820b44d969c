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
import type { Channel, TranslationRow } from '../api/snapshot.ts'
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
import {
  type SnapshotFile,
  type SnapshotInput,
  type WrittenPost,
  writeSnapshot,
} from '../snapshot/write.ts'
import type { BuildCache } from './cache.ts'
import type { Output } from './output.ts'
import type { SiteWorkspace } from './site.ts'

/** The destination of files. */
interface Target {
  readonly output: Output
  readonly cache: BuildCache
  /** The folder of the function, or of the public view. */
  readonly folder: string
  /** As in `BuildOptions`. */
  readonly isDataOnly?: boolean | undefined
}

const noAssets = () => ({ media: [], fields: [] })

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

/**
 * Adds the files of a workspace and its collections.
 *
 * @param now milliseconds since 1970
 * @returns the entry of the workspace in the root
 */
export async function writeWorkspace(
  site: SiteWorkspace,
  to: Target,
  now: number,
): Promise<RootWorkspace> {
  const rowsOf = async (space: SiteWorkspace) => {
    const rows = rowsInRoot(space, [site, ...site.collections], now)
    return { ...rows, index: await writeIndex(space, rows.scheduled, to) }
  }
  const written: RootCollection[] = []
  for (const space of site.collections) {
    const { name, order } = space.collection as Collection
    written.push({ name, order, ...(await rowsOf(space)) })
  }
  const { id, isV1Private, keys, language } = site
  const collections = written.filter(({ name }) => name !== '')
  const singletons = written.find(({ name }) => name === '')
  return {
    ...{ id, isV1Private, keys, ...(await rowsOf(site)) },
    ...(language === null ? {} : { group: language.group }),
    ...(collections.length === 0 ? {} : { collections }),
    ...(singletons === undefined ? {} : { singletons }),
  }
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
  const isNamed = ({ collection, settings: { references } }: Workspace) =>
    collection === null
      ? kinds.has('posts') || (references === 'create' && termKinds.some((kind) => kinds.has(kind)))
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

/** Adds the files with the drafts of a workspace and its collections, and their names to its entry in the root. */
export async function withDrafts(
  root: RootWorkspace,
  site: SiteWorkspace,
  to: Target,
): Promise<RootWorkspace> {
  const indexes = new Map<string | undefined, { readonly draftIndex: string }>()
  for (const space of [...site.collections, site]) {
    if (space.preview === null) continue
    const whole = { ...space, ...space.preview, collections: [], assets: noAssets }
    indexes.set(space.collection?.name, { draftIndex: await writeIndex(whole, 0, to) })
  }
  const { collections, singletons } = root
  const named = (rows: RootCollection) => ({ ...rows, ...indexes.get(rows.name) })
  return {
    ...root,
    ...(collections && { collections: collections.map(named) }),
    ...(singletons && { singletons: named(singletons) }),
    ...indexes.get(undefined),
  }
}

/** Adds the files of a workspace or a collection. @returns the name of its index */
async function writeIndex(
  space: SiteWorkspace,
  scheduled: number,
  { output, cache, folder, isDataOnly = false }: Target,
): Promise<string> {
  const input = inputOf(space, isDataOnly ? space.posts.length : scheduled)
  const { files, index } = await writeSnapshot(input, cache)
  for (const file of files) await addData(output, file, folder)
  return index
}

/**
 * Returns the data of a workspace for the function.
 *
 * @param unindexed number of posts without a search index
 */
function inputOf(workspace: SiteWorkspace, unindexed: number): SnapshotInput {
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
      const { html, markdown, text } = workspace.bodyOf(each)
      const read = () => utf8(fold(Buffer.from(text.read()).toString()))
      const parts = { html, markdown, text: { ...text, read } }
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
    assets: workspace.assets(),
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

/** Returns the data of posts or items in the root. @param all the workspace and its collections */
function rowsInRoot(workspace: Workspace, all: readonly Workspace[], now: number) {
  const { posts: rows, fields: defined, lastExpiry, language } = workspace
  const fields = indexedFields(defined)
  const own = fields.length === 0 ? {} : { fields }
  const next = rows.map(({ publishedAt }) => publishedAt).filter((instant) => instant > now)
  const scheduled = next.length
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
  const references = referencesOf(workspace)
  const areReferencesLasting = all.every((each) => instantsOfTargets(each, all, now).length === 0)
  return {
    ...{ scheduled, ...expiring, instants, ...own },
    ...(references.length === 0 ? {} : { references }),
    ...(areReferencesLasting ? {} : { areReferencesLasting }),
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
    if (!site.isV1Private)
      workspaces.push(await writeWorkspace(await publicView(site, now), to, now))
  }
  const view = { openapi: openapi.name, workspaces }
  const build = hash('sha256', JSON.stringify(view)).slice(0, 16)
  const root = () => encodeRoot({ schema, build, ...view })
  for (const name of browserPrograms) {
    const file = createRequire(import.meta.url).resolve(`#functions/${name}`)
    const bytes = () => readFileSync(file)
    await output.add({ bytes, paths: [`${publicFolder}/${name}`] })
  }
  await output.add({ bytes: root, paths: [`${browserFolder}/${rootName}`] })
}

/** Returns a workspace and its collections without scheduled posts and without references to them. */
async function publicView(site: SiteWorkspace, now: number): Promise<SiteWorkspace> {
  const all = [site, ...site.collections].map((space) => visibleAt(space, now))
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (named: readonly { readonly id: string }[]) => new Set(named.map(({ id }) => id))
  for (const space of all) {
    ids.set(space.collection?.name ?? 'posts', idsOf(space.posts.map(({ post }) => post)))
    if (space.collection === null) for (const kind of termKinds) ids.set(kind, idsOf(space[kind]))
  }
  const views = all.map(async (space): Promise<SiteWorkspace> => {
    const references = referencesOf(space)
    const visible = async (read: ParsedPost): Promise<ParsedPost> => {
      const { post } = read
      const fields = await mapTargets(post.fields ?? {}, references, async ({ to }, target) =>
        ids.get(to)?.has(target.id) ? target : null,
      )
      return references.length === 0 ? read : { ...read, post: { ...post, fields } }
    }
    // Only requests with a key can list images and custom fields.
    return { ...space, posts: await Promise.all(space.posts.map(visible)), assets: noAssets }
  })
  const [own, ...collections] = (await Promise.all(views)) as [SiteWorkspace, ...SiteWorkspace[]]
  return { ...own, collections }
}

/** Returns a workspace without its keys, its scheduled posts, and the terms that only scheduled posts name. */
export function visibleAt<W extends Workspace>(workspace: W, now: number): W {
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
