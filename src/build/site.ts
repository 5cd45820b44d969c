// Makes a site from the content: the model, rendered bodies with their links and images, and every problem.
import { parseJson } from '../api/bytes.ts'
import type { Derived, DerivedName } from '../api/resources.ts'
import type { Settings } from '../config.ts'
import { positionsIn } from '../content/source.ts'
import {
  BuildError,
  type Diagnostic,
  diagnosticAt,
  fileStart,
  type Problem,
  quote,
  warningsIn,
} from '../diagnostics.ts'
import {
  countWords,
  excerptOf,
  headingsOf,
  imagesOf,
  ownText,
  readingTimeSeconds,
} from '../markdown/derived.ts'
import { collectIds } from '../markdown/destinations.ts'
import type { RenderPool } from '../markdown/pool.ts'
import { idPrefix } from '../markdown/schema.ts'
import type { FieldDefinition } from '../model/custom-fields.ts'
import type { Destination, MediaFile } from '../model/destinations.ts'
import { buildLibrary, type Workspace, withDrafts } from '../model/library.ts'
import type { MarkdownBody, ParsedPost } from '../model/posts.ts'
import { Problems } from '../model/read-fields.ts'
import { Bodies, type BodyTexts, dataBody, type SiteBody } from './bodies.ts'
import type { BuildCache } from './cache.ts'
import {
  assetsOf,
  createRename,
  type DestinationsOf,
  type ImageDescription,
  ImageFiles,
  listImages,
  renameImages,
  type SharpScaling,
} from './images.ts'
import type { Manifest } from './manifest.ts'
import { type Content, rawContent } from './read.ts'

/** Options of a site. */
export interface SiteOptions {
  /** Time in milliseconds since 1970. Later posts are scheduled. @default the clock */
  readonly now?: number | undefined
  /** Adds drafts, for readers who may see them. @default false */
  readonly drafts?: boolean | undefined
  /** Called occasionally with the number of rendered bodies, and the number of bodies to render. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
}

/** The tools that make a site. */
export interface SiteTools {
  readonly cache: BuildCache
  /** Null if images are not scaled. */
  readonly scaling: SharpScaling | null
  /** Not called if there is nothing to render. */
  readonly threads: () => Promise<RenderPool>
}

/** A site in memory. */
export interface Site {
  /** Sorted by id, in code unit order. */
  readonly workspaces: readonly SiteWorkspace[]
  readonly cache: BuildCache
  readonly images: ImageFiles
  /** The number of bodies that the cache did not have. */
  readonly rendered: number
  /** Warnings only, sorted. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A workspace of a site, or a collection of one, with its bodies and images. */
export interface SiteWorkspace extends Workspace {
  /** Collections, then singletons. Empty for a collection. */
  readonly collections: readonly SiteWorkspace[]
  /** The workspace with drafts; null without drafts. */
  readonly preview: Workspace | null
  /** Returns the served body of a post. */
  readonly bodyOf: (post: ParsedPost) => BodyTexts
  /** The images of posts and authors, without images that only drafts show. */
  readonly media: readonly MediaFile[]
  readonly assets: () => ReturnType<typeof assetsOf>
}

/**
 * Checks and renders the content. Saves the cache before it fails, so that no body is rendered twice.
 *
 * @throws BuildError with every problem when one of them is an error
 */
export async function makeSite(
  content: Content,
  { cache, scaling, threads }: SiteTools,
  settings: Settings,
  options: SiteOptions,
): Promise<Site> {
  const { root, gitDates } = content
  const { now = Date.now() } = options
  try {
    const raw = await rawContent(content, cache)
    const all = { ...settings, ...options, gitDates }
    const library = buildLibrary(raw, settings.frontMatter, all, now)
    const bodies = new Bodies(root, cache, all)
    const spaces = library.workspaces.flatMap((each) => [each, ...each.collections])
    const written = spaces.flatMap(bodiesOf)
    await bodies.render(written, threads)
    const resolved = new Map(spaces.flatMap((space) => [...resolveBodies(space, bodies)]))
    const diagnostics = warningsIn(settings.ignoredWarnings, [
      ...raw.diagnostics,
      ...library.diagnostics,
      ...written.flatMap((body) => bodies.diagnosticsOf(body)),
      ...brokenLinks(resolved, bodies),
    ])
    const images = new ImageFiles(root, cache, scaling)
    const destinationsOf: DestinationsOf = (body) => resolved.get(body) ?? []
    await images.makePreviews(spaces.flatMap((space) => shownImages(space, destinationsOf)))
    const source = { bodies, cache, images, destinationsOf, now }
    const siteOf = (space: Workspace): SiteWorkspace =>
      siteWorkspace(space, space.collections.map(siteOf), source)
    const workspaces = library.workspaces.map(siteOf)
    return { workspaces, cache, images, rendered: bodies.rendered, diagnostics }
  } catch (error) {
    cache.save()
    throw error
  }
}

/** Returns the bodies of all posts, including stored drafts. */
function bodiesOf({ posts, draftPosts }: Workspace): readonly MarkdownBody[] {
  const written = [...posts, ...draftPosts].filter(({ isData }) => isData !== true)
  return written.map(({ body }) => body)
}

/** The destinations of bodies that may refer to files. Most bodies have none, and so no entry. */
type ResolvedBodies = ReadonlyMap<MarkdownBody, readonly Destination[]>

function resolveBodies(workspace: Workspace, bodies: Bodies): ResolvedBodies {
  const found = new Map<MarkdownBody, readonly Destination[]>()
  const all = bodiesOf(workspace)
  /** Bodies by path in normal form C. */
  const byFile = new Map(all.map((body) => [body.file.normalize('NFC'), body]))
  const ids = new Map<string, ReadonlySet<string> | null>()
  /** Returns null for a post that was not rendered, which has its own problem. */
  const idsOf = (file: string): ReadonlySet<string> | null => {
    const body = byFile.get(file)
    const html = body && bodies.find(body)?.html.read()
    return html === undefined ? null : collectIds(parseJson(html))
  }
  const withAnchor = (url: string, destination: Destination): Destination => {
    const { anchor } = destination
    if (anchor === undefined) return destination
    const known = ids.get(anchor.file) ?? idsOf(anchor.file)
    ids.set(anchor.file, known)
    if (known === null || known.has(anchor.name)) return destination
    return known.has(`${idPrefix}${anchor.name}`)
      ? { ...destination, url: destination.url?.replace('#', `#${idPrefix}`) ?? null }
      : { ...destination, problem: missingAnchor(url) }
  }
  for (const body of all) {
    const files = bodies.find(body)?.files ?? null
    if (files === null) continue
    const resolve = workspace.destinations.resolve.bind(workspace.destinations)
    const destinations = files.map(({ kind, url }) =>
      withAnchor(url, resolve(body.file, kind, url)),
    )
    found.set(body, destinations)
  }
  return found
}

function missingAnchor(url: string): Problem {
  return {
    code: 'broken-anchor',
    severity: 'warning',
    message: `The link ${quote(url)} points to a post that has no such id.`,
    hint: 'Link to the id of one of its headings; ids are derived from their text.',
  }
}

/** Returns one problem per broken destination. */
function brokenLinks(resolved: ResolvedBodies, bodies: Bodies): readonly Diagnostic[] {
  const problems = new Problems()
  // Similar names are searched only for the first problems.
  const all = [...resolved].sort(([a], [b]) => (a.file < b.file ? -1 : 1))
  for (const [body, destinations] of all) {
    const rendered = bodies.find(body)
    const targets = rendered?.files ?? []
    const broken = targets.flatMap((target, at) => {
      const problem = destinations[at]?.problem
      return problem === undefined ? [] : [{ target, problem }]
    })
    if (rendered === undefined || broken.length === 0) continue
    const text = parseJson<string>(rendered.markdown.read())
    const lines = text.split('\n')
    const positionOf = positionsIn(text)
    for (const { target, problem } of broken) {
      const { line, column } = positionOf(target.start)
      const at = { line: line + body.bodyLine - 1, column }
      problems.reportLine(body.file, at, problem, lines[line - 1])
    }
  }
  return problems.diagnostics
}

/** The bodies and images of a site. */
interface Source {
  readonly bodies: Bodies
  readonly cache: BuildCache
  readonly images: ImageFiles
  readonly destinationsOf: DestinationsOf
  /** Milliseconds since 1970. */
  readonly now: number
}

function siteWorkspace(
  found: Workspace,
  collections: readonly SiteWorkspace[],
  source: Source,
): SiteWorkspace {
  const { bodies, images, now } = source
  const renamed = createRename(found, source.destinationsOf, now)
  for (const { pictures = [] } of [...found.posts, ...found.draftPosts]) {
    for (const { media, value } of pictures) {
      const { width, height } = images.facts(media)
      Object.assign(value, { width, height })
    }
  }
  const named = renameImages(found, renamed)
  const destinationsOf: DestinationsOf = (body) => renamed(source.destinationsOf(body))
  const rendered = ({ body }: ParsedPost) => {
    const urls = destinationsOf(body).map(({ url }) => url)
    return bodies.place(body, urls)
  }
  const bodyOf = (post: ParsedPost) =>
    post.isData === true ? dataBody(textOf(post, found.fields)) : rendered(post)
  const derived = { ...source, bodyOf: rendered, destinationsOf }
  const workspace = withDerived(named, derived)
  const shown = workspace.posts.flatMap((post) => listImages(post, workspace, destinationsOf))
  const copied = shownImages({ ...workspace, draftPosts: [] }, destinationsOf)
  const media = [
    ...shown.map((image) => image.media),
    ...copied.flatMap((file) => images.copiesOf(file)),
    ...Object.values(workspace.authorImages),
    ...collections.flatMap((each) => each.media),
  ]
  return {
    ...workspace,
    collections,
    preview: withDrafts(workspace),
    bodyOf,
    media,
    assets: () => assetsOf(workspace, destinationsOf, (file) => images.facts(file)),
  }
}

/** Returns the text by which a search finds an item without content: its text fields. */
function textOf({ post }: ParsedPost, fields: readonly FieldDefinition[]): string {
  const texts = fields
    .filter(({ type }) => ['text', 'list', 'select'].includes(type))
    .flatMap(({ name }) => post.fields?.[name] ?? [])
  return texts.join('\n')
}

/** The source of derived values. */
interface DerivedSource extends Source {
  readonly bodyOf: (post: ParsedPost) => SiteBody
}

/** Returns the images that `derived` of posts describes. */
function shownImages(
  { posts, draftPosts, derived }: Workspace,
  destinationsOf: DestinationsOf,
): readonly MediaFile[] {
  return [...posts, ...draftPosts].flatMap(({ body, cover }) => {
    const ofBody = derived.includes('images') ? destinationsOf(body) : []
    const media = ofBody.flatMap((destination) => destination.media ?? [])
    return cover !== null && derived.includes('cover') ? [...media, cover] : media
  })
}

/** Returns a workspace whose posts have the selected derived values, which are cached. */
function withDerived(workspace: Workspace, source: DerivedSource): Workspace {
  const { posts, draftPosts, derived: names } = workspace
  if (names.length === 0) return workspace
  const remote = source.images.describe(null, '')
  const derivedOf = (post: ParsedPost): Derived => {
    const body = source.bodyOf(post)
    const images = names.includes('images') ? imagesByUrl(post, source) : new Map()
    const src = post.post.coverImage
    const isShown = src !== null && names.includes('cover')
    const cover = isShown ? { src, ...source.images.describe(post.cover, src) } : null
    const inputs = JSON.stringify([body.key, names, [...images], cover, remote])
    const describe = (src: string) => images.get(src) ?? remote
    return source.cache.json(inputs, () => valuesOf(names, body, describe, cover))
  }
  const withValues = (read: ParsedPost): ParsedPost => {
    return { ...read, post: { ...read.post, derived: derivedOf(read) } }
  }
  return { ...workspace, posts: posts.map(withValues), draftPosts: draftPosts.map(withValues) }
}

function imagesByUrl(
  { body }: ParsedPost,
  { destinationsOf, images }: DerivedSource,
): ReadonlyMap<string, ImageDescription> {
  const found = new Map<string, ImageDescription>()
  for (const { url, media } of destinationsOf(body)) {
    if (url !== null && media !== undefined) found.set(url, images.describe(media, url))
  }
  return found
}

function valuesOf(
  names: readonly DerivedName[],
  body: SiteBody,
  describe: (src: string) => ImageDescription,
  cover: NonNullable<Derived['cover']> | null,
): Derived {
  const html: string = parseJson(body.html.read())
  const text = ownText(html)
  const words = countWords(text)
  const makers: Readonly<Record<DerivedName, () => Derived>> = {
    excerpt: () => ({ excerpt: body.excerpt ?? excerptOf(text) }),
    wordCount: () => ({ wordCount: words }),
    readingTime: () => ({ readingTimeSeconds: readingTimeSeconds(words) }),
    toc: () => ({ toc: headingsOf(html) }),
    images: () => ({
      images: imagesOf(html).map(({ src, alt }) => ({ src, alt, ...describe(src) })),
    }),
    cover: () => ({ cover }),
  }
  return Object.assign({}, ...names.map((name) => makers[name]()))
}

/**
 * Checks that no workspace has lost all its posts since the last build.
 *
 * @param last the last build. @default none
 * @throws BuildError that names every workspace that lost all its posts
 */
export function assertPosts(
  workspaces: readonly Pick<Workspace, 'id' | 'posts'>[],
  last: Pick<Manifest, 'workspaces'> | null,
): void {
  const counts = new Map(workspaces.map(({ id, posts }) => [id, posts.length]))
  const lost: Diagnostic[] = []
  for (const [id, { posts, scheduled }] of Object.entries(last?.workspaces ?? {})) {
    const before = posts + scheduled
    if (before === 0 || (counts.get(id) ?? 0) > 0) continue
    const message = `The workspace "${id}" has no posts, but had ${before} in the last build.`
    const hint =
      'Check that its files exist; `npx quarry build --allow-empty` builds it without posts.'
    lost.push(diagnosticAt(id, fileStart, { code: 'no-posts', message, hint }))
  }
  if (lost.length > 0) throw new BuildError(lost)
}
