// The library: every workspace with its resources, their identities and references, in response order.
import { compareCodePoints } from '../api/bytes.ts'
import { isAbsoluteLink } from '../api/feeds.ts'
import type { KeyRecord } from '../api/keys.ts'
import {
  type Author,
  type CustomFields,
  type DerivedName,
  derivedNames,
  type Term,
  type TermKind,
  termKinds,
} from '../api/resources.ts'
import type { OrderBy, OtherLanguage, PostOrder, TranslationRow } from '../api/snapshot.ts'
import { hasBody } from '../content/layout.ts'
import type { RawContent, RawWorkspace } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import { type Diagnostic, type DiagnosticCode, fileStart, quote, UseError } from '../diagnostics.ts'
import {
  type FieldDefinition,
  type Report,
  type Target,
  type Targets,
  toJson,
} from './custom-fields.ts'
import { Destinations, type LinkInput, type MediaFile, resolveLinks } from './destinations.ts'
import { foldCase, isReserved, workspaceProblem } from './identifier.ts'
import {
  type FrontMatterMapping,
  itemKeys,
  type KindMappings,
  type Mappings,
  toMappings,
} from './map-fields.ts'
import {
  assemblePost,
  type GitDates,
  type ParsedPost,
  type ParsedPosts,
  type PostContext,
  readRows,
  type StatedPosts,
  sortByPublication,
  withFields,
} from './posts.ts'
import { Problems, Reading, warnUnknownKeys } from './read-fields.ts'
import { postSchema } from './schema.ts'
import { readKeys, readSettings, type WorkspaceSettings } from './settings.ts'
import {
  type AnyTerm,
  byTermKind,
  compareTerms,
  noTerms,
  readTerms,
  type TermSets,
} from './terms.ts'
import { withheldOther, withheldPost } from './withheld-keys.ts'

/** All workspaces, and every problem in them. */
export interface Library {
  /** By id, in code unit order. */
  readonly workspaces: readonly Workspace[]
  readonly diagnostics: readonly Diagnostic[]
}

/** One workspace, or a collection of one: its items are its posts, and it has no terms. */
export interface Workspace extends ParsedPosts {
  readonly id: string
  /** The collection that this represents; null for a workspace. */
  readonly collection: Collection | null
  /** The collections of a workspace, in order of definition, then its singletons. */
  readonly collections: readonly Workspace[]
  readonly name: string
  /** True if nothing of it is served under v1. */
  readonly isV1Private: boolean
  /** In file order, including expired and revoked keys. */
  readonly keys: readonly KeyRecord[]
  /** Published and scheduled posts, latest first; no drafts. */
  readonly posts: readonly ParsedPost[]
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
  readonly authors: readonly Author[]
  /** Published images of authors, by id. */
  readonly authorImages: Readonly<Record<string, MediaFile>>
  /** Ids of terms without a file, created by references. */
  readonly created: Readonly<Record<TermKind, readonly string[]>>
  readonly settings: WorkspaceSettings
  /** Computed values of posts, in response order. */
  readonly derived: readonly DerivedName[]
  readonly fields: readonly FieldDefinition[]
  readonly destinations: Destinations
  /** Null without a locale, and for singletons. */
  readonly language: WorkspaceLanguage | null
}

/** The language of a workspace, or of a collection of one. */
export interface WorkspaceLanguage {
  readonly locale: string
  /** The workspace that the others of its group translate. */
  readonly group: string
  readonly others: readonly OtherLanguage[]
  /** The published and scheduled translations of a post. */
  readonly translationsOf: (post: ParsedPost) => readonly TranslationRow[]
}

/** Reports whether v1 leaves out translations that v2 has. */
export function hasHiddenTranslations({ language }: Workspace): boolean {
  return language?.others.some(({ isHidden }) => isHidden) === true
}

/** Returns when translations that v1 shows appear or disappear: milliseconds since 1970, ascending. */
export function translationTimes({ language, posts }: Workspace): readonly number[] {
  if (language === null) return []
  const { others, translationsOf } = language
  const shown = posts.flatMap(translationsOf).filter(([other]) => others[other]?.isHidden === false)
  return shown.flatMap(([, , , from, until]) => [from, until ?? from]).sort((a, b) => a - b)
}

/** A collection, or the singletons of a workspace. */
export interface Collection {
  readonly kind: 'items' | 'singletons'
  /** Empty for singletons. */
  readonly name: string
  /** Direction of its own order. */
  readonly order: PostOrder['order']
  /** Its own order: ids, including drafts, or a value of `orderBy`; null for publication order. */
  readonly own: readonly string[] | OrderBy | null
}

/** Options of a library. */
export interface LibraryOptions extends LinkInput {
  /** Loads drafts as posts too. @default false */
  readonly drafts?: boolean | undefined
  /** Returns the dates of files in Git; null outside of a repository. @default no dates */
  readonly gitDates?: () => GitDates | null
}

/** Builds a library. Problems are collected, never thrown. @param now milliseconds since 1970 */
export function buildLibrary(
  content: RawContent,
  frontMatter: FrontMatterMapping | KindMappings,
  options: LibraryOptions,
  now: number,
): Library {
  const problems = new Problems()
  const mappings = toMappings(frontMatter)
  checkIds(content.workspaces, problems)
  const keys = readKeys(
    content.workspaces.map(({ id, files }) => {
      return { id, keys: files.find(({ role }) => role.kind === 'keys')?.yaml }
    }),
    problems,
  )
  const workspaces = content.workspaces.map((raw) => ({
    ...buildWorkspace(raw, { mappings, problems, now, keepsDrafts: options.drafts }, options),
    keys: (keys.get(raw.id) ?? []).map(({ record }) => record),
  }))
  checkMappings(mappings.collections, workspaces)
  checkLanguages(workspaces)
  return { workspaces: workspaces.map(withLanguage), diagnostics: problems.diagnostics }
}

/** Reports workspaces of a group with the same language, and workspaces that cannot be translations of another. */
function checkLanguages(workspaces: readonly Workspace[]): void {
  const all = new Map(workspaces.map(({ id, settings }) => [id, settings]))
  const owners = new Map<string, string>()
  for (const { id, settings } of workspaces) {
    const { locale, translationOf, reading } = settings
    const language = `${languageGroupOf({ id, settings })} ${locale?.toLowerCase()}`
    const hint = 'A group has one workspace for each language.'
    if (locale !== undefined)
      reading.claim(owners, language, ['locale'], (other) => {
        return { code: 'invalid-field', message: `\`locale\` is the same as in ${other}.`, hint }
      })
    const original = all.get(translationOf ?? '')
    // Settings with an error may have it in the locale.
    const areLocalized = [settings, original].every(
      (of) => of?.locale !== undefined || of?.isBroken,
    )
    if (translationOf === undefined || (areLocalized && !original?.translationOf)) continue
    reading.report(['translationOf'], {
      code: 'invalid-field',
      message: `\`translationOf\` ${quote(translationOf)} must name the original workspace of the group.`,
      hint: 'Both need a `locale`, and the original must not have `translationOf`.',
      near: () => (original === undefined ? nearest(translationOf, all.keys()) : undefined),
    })
  }
}

function languageGroupOf({ id, settings }: Pick<Workspace, 'id' | 'settings'>): string {
  return settings.translationOf ?? id
}

/** Adds the language to a workspace and its collections. */
function withLanguage(workspace: Workspace, _: number, all: readonly Workspace[]): Workspace {
  const { id, settings, isV1Private, collections } = workspace
  const { locale } = settings
  if (locale === undefined) return workspace
  const group = languageGroupOf(workspace)
  const members = all.filter(
    (each) =>
      each.id !== id && each.settings.locale !== undefined && languageGroupOf(each) === group,
  )
  const others = members.map(({ id: workspaceId, settings, destinations, ...each }) => {
    const { post } = destinations.settings
    return {
      ...{ locale: settings.locale ?? '', workspaceId },
      postLink: post !== null && isAbsoluteLink(post) ? post : null,
      isHidden: each.isV1Private && !isV1Private,
    }
  })
  const languageOf = (rowsOf: (member: Workspace) => readonly ParsedPost[]): WorkspaceLanguage => {
    const byKey = members.map(
      (member) => new Map(rowsOf(member).map((row) => [row.translationKey, row])),
    )
    const translationsOf = ({ translationKey }: ParsedPost) =>
      byKey.flatMap((rows, other): TranslationRow[] => {
        const row = rows.get(translationKey)
        if (row === undefined) return []
        const { post, publishedAt, expiresAt, url } = row
        return [[other, post.id, post.slug, publishedAt, expiresAt, url]]
      })
    return { locale, group, others, translationsOf }
  }
  const own = collections.map((each): Workspace => {
    const { kind, name } = each.collection ?? {}
    const isSame = ({ collection }: Workspace) => collection?.name === name
    const rowsOf = ({ collections }: Workspace) => collections.find(isSame)?.posts ?? []
    return kind === 'items' ? { ...each, language: languageOf(rowsOf) } : each
  })
  return { ...workspace, language: languageOf(({ posts }) => posts), collections: own }
}

/** @throws UseError if a mapping names an unknown collection, or a key that its items do not have */
function checkMappings(mappings: Mappings['collections'], workspaces: readonly Workspace[]): void {
  const collections = workspaces.flatMap((workspace) => workspace.collections)
  for (const [name, mapping] of Object.entries(mappings)) {
    const own = collections.filter(({ collection }) => collection?.name === name)
    if (own.length === 0)
      throw new UseError(`\`frontMatter.collections.${name}\` is not the name of a collection.`)
    const fields = own.flatMap((one) => one.fields.map((field) => field.name))
    const known = ['ignore', 'fields', ...itemKeys, ...fields]
    const unknown = Object.keys(mapping).find((key) => !known.includes(key))
    if (unknown !== undefined)
      throw new UseError(
        `\`frontMatter.collections.${name}.${unknown}\` is neither a field nor a key of an item.`,
      )
  }
}

function buildWorkspace(
  raw: RawWorkspace,
  context: Pick<PostContext, 'mappings' | 'problems' | 'now' | 'keepsDrafts'>,
  options: LibraryOptions,
): Omit<Workspace, 'keys'> {
  const { problems } = context
  const settings = readSettings(raw, problems)
  const isV1Private = settings.v1 === 'private'
  const destinations = new Destinations(raw, isV1Private, resolveLinks(settings, options))
  const termContext = { ...context, workspace: raw.id, settings, destinations }
  const terms = byTermKind((kind) => readTerms(raw, kind, termContext))
  const dates = readGitDates(settings, options)
  const rowContext = { ...termContext, folders: raw.folders, terms, dates }
  const stated = readRows(raw, null, rowContext)
  for (const kind of termKinds) terms[kind].complete()
  const items = settings.collections.map((each) => [each, readRows(raw, each, rowContext)] as const)
  let known: Targets | undefined
  const targets = () =>
    (known ??= listTargets(terms, stated, items, settings.references === 'create'))
  const read = withFields(stated, null, rowContext, targets)
  // Only the site knows the URLs of items, and a file that could not be parsed has its own problem.
  for (const file of raw.files) if (hasBody(file)) destinations.addPost(file.path, 'unknown')
  for (const { body, post, url, hidden, publishedAt: due } of [...read.posts, ...read.drafts])
    destinations.addPost(body.file, hidden ?? { ...post, url, due: due > context.now ? due : 0 })
  const workspace = {
    ...read,
    id: raw.id,
    collection: null,
    name: settings.name ?? raw.id,
    isV1Private,
    posts: sortByPublication(read.posts),
    ...byTermKind((kind) => terms[kind].sorted),
    authorImages: Object.fromEntries(terms.authors.pictures),
    created: byTermKind((kind) => terms[kind].created),
    settings,
    derived: derivedNames.filter((name) => settings.derived.includes(name)),
    fields: settings.fields,
    destinations,
    language: null,
  }
  const collections = items.map(([collection, stated]) => {
    const { name, orderBy, fields } = collection
    const whole = withFields(stated, collection, rowContext, targets)
    const own = collectionOrder(orderBy, whole.posts, whole.draftPosts)
    return collectionWorkspace(workspace, whole, { kind: 'items', name, ...own }, fields)
  })
  const singletons = readSingletons(raw, problems)
  reportMissingFiles(raw, settings)
  if (singletons.posts.length > 0) {
    const of = { kind: 'singletons', name: '', order: 'asc', own: null } as const
    collections.push(collectionWorkspace(workspace, singletons, of, []))
  }
  return { ...workspace, collections }
}

/** Returns the targets of fields. Each response leaves out targets that are not visible at its time. */
function listTargets(
  terms: TermSets,
  posts: StatedPosts,
  items: readonly (readonly [collection: { readonly name: string }, stated: StatedPosts])[],
  isCreated: boolean,
): Targets {
  const ofRows = ({ rows, isComplete }: StatedPosts) => {
    const known = rows.flatMap(([{ post, hidden }]) =>
      [post.id, post.slug].map((name) => [name, hidden === undefined ? post : null] as const),
    )
    return { known: new Map(known), isComplete, isCreated: false }
  }
  return new Map<string, Target>([
    ...termKinds.map((kind) => {
      const { known, isComplete } = terms[kind]
      return [kind, { known, isComplete, isCreated }] as const
    }),
    ['posts', ofRows(posts)],
    ...items.map(([{ name }, stated]) => [name, ofRows(stated)] as const),
  ])
}

/** Reports missing files that the settings name. A folder without files is a warning: Git does not keep it. */
function reportMissingFiles(
  { files }: RawWorkspace,
  { collections, singletons, reading }: WorkspaceSettings,
): void {
  const found = new Set(files.map(({ role }) => ('name' in role ? `${role.of} ${role.name}` : '')))
  const report = (key: string, name: string, severity: 'error' | 'warning') => {
    const message = `No file was found for ${JSON.stringify(name)}.`
    const hint = 'Correct the path, or create the file; data files end in .yml, .json or .csv.'
    reading.report([key, name], { code: 'unreadable-file', severity, message, hint })
  }
  for (const { name, source } of collections)
    if (!found.has(`items ${name}`))
      report('collections', name, /\.\w+$/.test(source) ? 'error' : 'warning')
  for (const name of singletons)
    if (!found.has(`singletons ${name}`)) report('singletons', name, 'error')
}

/** Returns a collection as a workspace, with the settings of its workspace and without terms. */
function collectionWorkspace(
  workspace: Omit<Workspace, 'keys' | 'collections'>,
  read: ParsedPosts,
  collection: Collection,
  fields: readonly FieldDefinition[],
): Workspace {
  return {
    ...workspace,
    keys: [],
    ...read,
    collection,
    collections: [],
    posts: sortByPublication(read.posts),
    ...byTermKind(() => []),
    authorImages: {},
    created: byTermKind(() => []),
    derived: [],
    fields,
  }
}

/** Returns the dates of files in Git if the settings ask for them; null, with a warning, without a full history. */
function readGitDates(
  { dates: source, reading }: WorkspaceSettings,
  { gitDates }: LibraryOptions,
): GitDates | null {
  if (source !== 'git') return null
  const dates = gitDates?.() ?? null
  if (dates?.isShallow === false) return dates
  const message =
    dates === null
      ? 'The content is not in a Git repository, so posts get no dates from Git.'
      : 'The clone of the repository is shallow, so posts get no dates from Git.'
  const hint = dates ? 'On GitHub Actions, set `fetch-depth: 0` for actions/checkout.' : undefined
  reading.report(['dates'], { code: 'missing-history', severity: 'warning', message, hint })
  return null
}

/** Reports invalid ids, and folders that differ only in case: these are one folder on a case-insensitive system. */
function checkIds(workspaces: readonly RawWorkspace[], problems: Problems): void {
  const firstByFoldedId = new Map<string, string>()
  for (const { id } of workspaces) {
    const report = (code: DiagnosticCode, what: string) => {
      const message = `The workspace's folder name ${JSON.stringify(id)} ${what}.`
      problems.reportLine(id, fileStart, { code, message, hint: 'Rename the folder.' }, '')
    }
    const other = firstByFoldedId.get(foldCase(id))
    firstByFoldedId.set(foldCase(id), other ?? id)
    if (other !== undefined) report('duplicate-identifier', `differs from "${other}" only in case`)
    const problem = workspaceProblem(id)
    if (problem !== null)
      report(isReserved(id) ? 'reserved-workspace' : 'invalid-identifier', problem)
  }
}

/** Adds drafts, and the terms that only drafts name; null if no drafts were loaded. */
export function withDrafts(workspace: Workspace): Workspace | null {
  if (workspace.draftPosts.length === 0) return null
  if (workspace.collection !== null) {
    const posts = sortByPublication([...workspace.posts, ...workspace.draftPosts])
    return { ...workspace, posts }
  }
  const known = byTermKind((kind) => {
    const terms = workspace[kind] as readonly AnyTerm[]
    return new Map(terms.map((term) => [term.id, term]))
  })
  const shared = (kind: TermKind, term: Term | Author): AnyTerm => {
    const found = known[kind].get(term.id) ?? (term as AnyTerm)
    known[kind].set(term.id, found)
    return found
  }
  const drafts = workspace.draftPosts.map((draft) => {
    const { authors, category, tags } = draft.post
    const terms = {
      authors: authors.map((author) => shared('authors', author)),
      category: shared('categories', category),
      tags: tags.map((tag) => shared('tags', tag)),
    }
    return { ...draft, post: { ...draft.post, ...terms } }
  })
  return {
    ...workspace,
    posts: sortByPublication([...workspace.posts, ...drafts]),
    ...byTermKind((kind) => [...known[kind].values()].sort(compareTerms)),
  }
}

/** Returns the defined order; else by publication if every published item has a date; else by path or row. */
function collectionOrder(
  orderBy: OrderBy | null,
  published: readonly ParsedPost[],
  drafts: readonly ParsedPost[],
): { readonly order: PostOrder['order']; readonly own: readonly string[] | OrderBy | null } {
  const isByDate = orderBy === null && published.every(({ post }) => post.publishedAt !== '')
  if (orderBy === 'publishedAt' || isByDate) return { order: 'desc', own: null }
  if (orderBy !== null) return { order: orderBy === 'updatedAt' ? 'desc' : 'asc', own: orderBy }
  const items = [...published, ...drafts]
  const paths = new Map(items.map(({ post, body }) => [post.id, treeSortKey(body.file)]))
  const own = items.map(({ post }) => post.id)
  // Sorting is stable, so rows of a file stay in their order.
  own.sort((a, b) => compareCodePoints(paths.get(a) ?? '', paths.get(b) ?? ''))
  return { order: 'asc', own }
}

/** Returns a key that sorts paths as a tree: a page precedes the pages in its folder. */
function treeSortKey(file: string): string {
  return file.replace(/(?:\/_?index)?\.\w+$/u, '').replaceAll('/', '\0')
}

/** Reads the singletons of a workspace: all their data is one value of fields. */
function readSingletons({ files }: RawWorkspace, problems: Problems): ParsedPosts {
  const withheld = { ...withheldPost, ...withheldOther }
  const posts = files.flatMap(({ role, document, yaml }) => {
    if (!('name' in role) || role.of !== 'singletons') return []
    const source = document ? { ...document, value: document.frontMatter } : yaml
    if (source === undefined) return []
    const reading = new Reading(problems, source, source.value)
    // A key that hides a file in other tools is an error: singletons are public. Other keys of data can have any meaning.
    const stated = [...reading.fields].filter(
      ([name]) => document || /^(?:draft|status|published|unlisted)$/i.test(name),
    )
    warnUnknownKeys(reading.with(new Map(stated)), [], { withheld, unknown: () => undefined })
    const { bodyHash = '', bodyLine = 1 } = document ?? {}
    const report: Report = (at, problem) => reading.report(at, problem)
    const fields = toJson(source.value, report) as CustomFields
    const { name } = role
    const own = { id: name, slug: name, title: name, publishedAt: '', updatedAt: '', ...noTerms }
    const body = { file: source.file, bodyHash, bodyLine }
    const singleton = assemblePost(body, postSchema.parse({}), own, { url: null })
    return [{ ...singleton, post: { ...singleton.post, fields } }]
  })
  return { posts, drafts: [], draftPosts: [], lastExpiry: 0 }
}
