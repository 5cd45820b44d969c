// A library as JSON. Terms are stored once; posts refer to them by index.
import type { Post, TermKind } from '../api/resources.ts'
import { type DestinationSources, Destinations } from './destinations.ts'
import type { Library, Workspace } from './library.ts'
import type { MarkdownBody } from './markdown-body.ts'
import type { ReadPost } from './posts.ts'

/** Returns the SHA-256 of a file's body, hexadecimal: `bodyHashOf`. */
type BodyHashes = (file: string) => string

/** The term lists of a workspace. */
type Terms = Pick<Workspace, TermKind>

/** A post whose categories, tags and authors are indexes into the workspace's lists. */
interface StoredPost extends Omit<ReadPost, 'post' | 'body'> {
  readonly body: Omit<MarkdownBody, 'bodyHash'>
  readonly post: Omit<Post, TermKind | 'category'> & {
    readonly authors: readonly number[]
    readonly category: number
    readonly tags: readonly number[]
  }
}

/** A draft, with whole terms, as a term may have only drafts. */
interface StoredDraft extends Omit<ReadPost, 'body'> {
  readonly body: Omit<MarkdownBody, 'bodyHash'>
}

interface StoredWorkspace
  extends Omit<Workspace, 'posts' | 'draftPosts' | 'brokenBodies' | 'destinations'> {
  readonly posts: readonly StoredPost[]
  readonly draftPosts: readonly StoredDraft[]
  readonly destinations: DestinationSources
}

/** Encodes a library without errors as JSON, without the hashes of bodies. */
export function encodeLibrary({ workspaces }: Library): string {
  return JSON.stringify(workspaces.map(storedWorkspace))
}

/**
 * Decodes the workspaces of an encoded library, without validation.
 *
 * @param bodyHashOf hash of a post's body, by the path of its file
 *
 * Cost: O(posts).
 */
export function decodeLibrary(json: string, bodyHashOf: BodyHashes): Library['workspaces'] {
  const stored: readonly StoredWorkspace[] = JSON.parse(json)
  return stored.map((of) => workspaceOf(of, bodyHashOf))
}

function storedWorkspace(workspace: Workspace): StoredWorkspace {
  const { brokenBodies, destinations, posts, draftPosts, ...own } = workspace
  const places = {
    categories: placesOf(own.categories),
    tags: placesOf(own.tags),
    authors: placesOf(own.authors),
  }
  const placeOf = (kind: TermKind, { id }: { readonly id: string }): number => {
    const place = places[kind].get(id)
    if (place === undefined) throw new RangeError(`${id} is none of the ${kind}`)
    return place
  }
  return {
    ...own,
    posts: posts.map(({ post, body: { file, bodyLine }, ...rest }) => ({
      ...rest,
      body: { file, bodyLine },
      post: {
        ...post,
        authors: post.authors.map((author) => placeOf('authors', author)),
        category: placeOf('categories', post.category),
        tags: post.tags.map((tag) => placeOf('tags', tag)),
      },
    })),
    draftPosts: draftPosts.map(({ body: { file, bodyLine }, ...rest }) => ({
      ...rest,
      body: { file, bodyLine },
    })),
    destinations: destinations.sources,
  }
}

function placesOf(terms: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  return new Map(terms.map(({ id }, place) => [id, place]))
}

function workspaceOf(
  { destinations: sources, posts: storedPosts, draftPosts, ...own }: StoredWorkspace,
  bodyHashOf: BodyHashes,
): Workspace {
  const posts = storedPosts.map((stored) => postOf(stored, own, bodyHashOf))
  return {
    ...own,
    posts,
    draftPosts: draftPosts.map(({ body, ...rest }) => ({
      ...rest,
      body: { ...body, bodyHash: bodyHashOf(body.file) },
    })),
    brokenBodies: [],
    destinations: destinationsOf(sources, { ...own, posts }),
  }
}

function postOf(
  { post, body, ...rest }: StoredPost,
  terms: Terms,
  bodyHashOf: BodyHashes,
): ReadPost {
  // In place, which keeps the order of fields: copies of a hundred thousand posts take twice the memory.
  const whole = Object.assign(post, {
    authors: post.authors.map((place) => itemAt(terms.authors, place)),
    category: itemAt(terms.categories, post.category),
    tags: post.tags.map((place) => itemAt(terms.tags, place)),
  })
  return { ...rest, post: whole, body: { ...body, bodyHash: bodyHashOf(body.file) } }
}

function itemAt<Item>(items: readonly Item[], place: number): Item {
  const item = items[place]
  if (item === undefined) throw new RangeError(`a post names number ${place} of ${items.length}`)
  return item
}

/** Adds posts in the order of the library: drafts, then posts by file path. */
function destinationsOf(
  { images, settings, folders }: DestinationSources,
  { id, isV1Private, drafts, posts }: Pick<Workspace, 'id' | 'isV1Private' | 'drafts' | 'posts'>,
): Destinations {
  const raw = { id, images: new Map(images), folders }
  const destinations = new Destinations(raw, isV1Private, settings)
  for (const { file } of drafts) destinations.addPost(file, 'draft')
  const byFile = posts.toSorted((a, b) => (a.body.file < b.body.file ? -1 : 1))
  for (const { post, body } of byFile) destinations.addPost(body.file, post)
  return destinations
}
