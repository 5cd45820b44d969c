// Resolves images and links of rendered bodies, and collects the images to publish.
import { createHmac } from 'node:crypto'
import { parseJson } from '../api/bytes.ts'
import type { Author } from '../api/resources.ts'
import { type Diagnostic, type Problem, quote } from '../diagnostics.ts'
import type { FileTargets } from '../markdown/destinations.ts'
import { idPrefix, idsIn } from '../markdown/links.ts'
import { problemsMax } from '../markdown/problem.ts'
import type { Destination, MediaFile } from '../model/destinations.ts'
import type { Library, Workspace } from '../model/library.ts'
import type { MarkdownBody, ReadPost } from '../model/posts.ts'
import { Problems } from '../model/problems.ts'
import type { Bodies, SiteBody } from './bodies.ts'

/** The resolved destinations of all bodies. */
export interface ResolvedBodies {
  /** The workspaces of the library, with the final names of covers. */
  readonly workspaces: readonly Workspace[]
  readonly diagnostics: readonly Diagnostic[]
  /** The distinct images of posts and authors, by path; without those that only drafts show. */
  readonly media: readonly MediaFile[]
  /**
   * Returns the body of a post of the library, as served. @throws RangeError for a body that was not rendered, or has
   * an error
   */
  place(body: MarkdownBody): SiteBody
  /** The resolved destinations of a body, in order. */
  destinationsOf(body: MarkdownBody): readonly Destination[]
}

/**
 * Resolves every destination that may refer to a file; bodies are produced on demand.
 *
 * @param now milliseconds since 1970: images that only later posts show get other names
 */
export function resolveBodies(library: Library, bodies: Bodies, now: number): ResolvedBodies {
  const byBody = new Map<MarkdownBody, BodyDestinations>()
  const workspaces = library.workspaces.map((workspace) => {
    const anchors = anchorsOf(workspace, bodies)
    const resolved = bodiesOf(workspace).flatMap((body) =>
      withDestinations(workspace, body, bodies, anchors),
    )
    const destinationsOf = new Map(resolved.map(({ body, destinations }) => [body, destinations]))
    const rename = hiddenNames(workspace, (body) => destinationsOf.get(body) ?? [], now)
    for (const one of resolved) {
      byBody.set(one.body, { ...one, destinations: one.destinations.map(rename) })
    }
    const renamed = authorsRenamed(workspace, rename)
    const withNames = (post: ReadPost) => postRenamed(post, rename, renamed)
    return {
      ...workspace,
      authors: workspace.authors.map((author) => renamed.get(author.id)?.author ?? author),
      authorImages: {
        ...workspace.authorImages,
        ...Object.fromEntries([...renamed].map(([id, { media }]) => [id, media])),
      },
      posts: workspace.posts.map(withNames),
      draftPosts: workspace.draftPosts.map(withNames),
    }
  })
  const found = [...byBody.values()]
  const covers = workspaces.flatMap(({ posts, authorImages }) => [
    ...posts.map(({ cover }) => cover),
    ...Object.values(authorImages),
  ])
  // Images that only drafts show are not published.
  const ofDrafts = new Set(
    library.workspaces.flatMap(({ draftPosts }) => draftPosts.map(({ body }) => body)),
  )
  const shown = found
    .filter(({ body }) => !ofDrafts.has(body))
    .flatMap(({ destinations }) => destinations.map(({ media }) => media))
  return {
    workspaces,
    diagnostics: diagnosticsOf(found),
    media: distinctMedia([...covers, ...shown]),
    destinationsOf: (body) => byBody.get(body)?.destinations ?? [],
    place: (body) => {
      const placed = byBody.get(body)
      if (placed === undefined) return bodies.bodyOf(body)
      const urls = placed.destinations.map(({ url }) => url)
      return bodies.place(body, placed.files, urls)
    },
  }
}

type Rename = (destination: Destination) => Destination

/**
 * Returns a function that renames the images that only scheduled posts show. Their usual name is a hash of their bytes,
 * so who has an image could ask whether a scheduled post shows it. The other name is an HMAC whose key is the whole post
 * that shows it first, which nobody knows before its publication.
 *
 * Cost: O(posts + images).
 */
function hiddenNames(
  { posts, authorImages, created }: Workspace,
  destinationsOf: (body: MarkdownBody) => readonly Destination[],
  now: number,
): Rename {
  /** The oldest post that shows an image, by the hash of the image. */
  const firstShown = new Map<string, ReadPost>()
  for (const post of posts.toReversed()) {
    const pictures = post.post.authors.map(({ id }) => authorImages[id])
    const shown = destinationsOf(post.body).map(({ media }) => media)
    for (const media of [post.cover, ...shown, ...pictures]) {
      if (media && !firstShown.has(media.sha256)) firstShown.set(media.sha256, post)
    }
  }
  // An author with a file is public without a post.
  const ofPosts = new Set(created.authors)
  for (const [id, media] of Object.entries(authorImages)) {
    if (!ofPosts.has(id)) firstShown.delete(media.sha256)
  }
  return (destination) => {
    const { url, media } = destination
    const post = firstShown.get(media?.sha256 ?? '')
    if (url === null || !media || !post || post.publishedAt <= now) return destination
    const secret = JSON.stringify([post.post, post.body.bodyHash])
    const name = createHmac('sha256', secret).update(media.sha256).digest('hex').slice(0, 32)
    // regex: a path of our own: folder, 32 digits and an ending
    const renamed = (path: string) => path.replace(/[0-9a-f]{32}(?=\.\w+$)/, name)
    return { ...destination, url: renamed(url), media: { ...media, path: renamed(media.path) } }
  }
}

/** An author with another name of its image. */
interface RenamedAuthor {
  readonly author: Author
  readonly media: MediaFile
}

function authorsRenamed(
  { authors, authorImages }: Workspace,
  rename: Rename,
): ReadonlyMap<string, RenamedAuthor> {
  const renamed = new Map<string, RenamedAuthor>()
  for (const author of authors) {
    const before = authorImages[author.id]
    if (before === undefined) continue
    const { url, media = before } = rename({ url: author.image, media: before })
    if (media !== before) renamed.set(author.id, { author: { ...author, image: url }, media })
  }
  return renamed
}

function postRenamed(
  read: ReadPost,
  rename: Rename,
  renamed: ReadonlyMap<string, RenamedAuthor>,
): ReadPost {
  const { cover, post } = read
  const { url, media = cover } =
    cover === null ? { url: post.coverImage } : rename({ url: post.coverImage, media: cover })
  const isShown = post.authors.some(({ id }) => renamed.has(id))
  if (media === cover && !isShown) return read
  const authors = post.authors.map((author) => renamed.get(author.id)?.author ?? author)
  return { ...read, cover: media, post: { ...post, coverImage: url, authors } }
}

/** A body with destinations that may refer to files, and their resolution. */
interface BodyDestinations {
  readonly body: MarkdownBody
  readonly files: FileTargets
  readonly destinations: readonly Destination[]
}

/** @returns empty for a body without such destinations, as most are */
function withDestinations(
  { destinations }: Workspace,
  body: MarkdownBody,
  bodies: Bodies,
  resolveAnchor: ResolveAnchor,
): readonly BodyDestinations[] {
  const files = bodies.filesOf(body)
  if (files === null) return []
  const found = files.targets.map(({ kind, url }) => {
    return resolveAnchor(url, destinations.resolve(body.file, kind, url))
  })
  return [{ body, files, destinations: found }]
}

/** The bodies of all posts, including those with errors and stored drafts. */
export function bodiesOf({ posts, draftPosts, brokenBodies }: Workspace): readonly MarkdownBody[] {
  return [...posts, ...draftPosts].map(({ body }) => body).concat(brokenBodies)
}

function distinctMedia(files: readonly (MediaFile | null | undefined)[]): readonly MediaFile[] {
  const byPath = new Map<string, MediaFile>()
  for (const file of files) if (file) byPath.set(file.path, file)
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** One problem per broken destination, limited per body; sorted by file. */
function diagnosticsOf(bodies: readonly BodyDestinations[]): readonly Diagnostic[] {
  const problems = new Problems()
  for (const { body, files, destinations } of bodies.toSorted(byFile)) {
    let count = 0
    for (const [index, target] of files.targets.entries()) {
      const problem = destinations[index]?.problem
      if (problem === undefined) continue
      const at = { ...target, line: target.line + body.bodyLine - 1 }
      problems.reportLine(body.file, at, problem, target.lineText)
      count += 1
      if (count === problemsMax) break
    }
  }
  return problems.diagnostics
}

function byFile({ body: a }: BodyDestinations, { body: b }: BodyDestinations): number {
  return a.file < b.file ? -1 : 1
}

/** Resolves the fragment of a destination to an id of its post, or adds a problem. */
type ResolveAnchor = (url: string, destination: Destination) => Destination

/** Reads the ids in the HTML of posts that are linked with a fragment. */
function anchorsOf(workspace: Workspace, rendered: Bodies): ResolveAnchor {
  /** By path in normal form C; computed for the first link with a fragment. */
  let bodies: ReadonlyMap<string, MarkdownBody> | undefined
  const known = new Map<string, ReadonlySet<string> | null>()
  /** Null for a post that was not rendered, which has its own problem. */
  const idsOf = (file: string): ReadonlySet<string> | null => {
    bodies ??= new Map(bodiesOf(workspace).map((body) => [body.file.normalize('NFC'), body]))
    const body = bodies.get(file)
    const html = body && rendered.find(body)?.read('html')
    const ids = html === undefined ? null : idsIn(parseJson(html))
    known.set(file, ids)
    return ids
  }
  return (url, destination) => {
    const { anchor } = destination
    if (anchor === undefined) return destination
    const ids = known.get(anchor.file) ?? idsOf(anchor.file)
    if (ids === null || ids.has(anchor.name)) return destination
    return ids.has(`${idPrefix}${anchor.name}`)
      ? { ...destination, url: destination.url?.replace('#', `#${idPrefix}`) ?? null }
      : { ...destination, problem: noAnchor(url) }
  }
}

function noAnchor(url: string): Problem {
  return {
    code: 'broken-anchor',
    severity: 'warning',
    message: `The link ${quote(url)} leads to a post that has no such id.`,
    hint: 'Link to the id of one of its headings, which is made of the text of the heading.',
  }
}
