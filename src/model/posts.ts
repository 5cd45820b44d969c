// Posts: validated front matter with resolved references.
import { type CopiedKey, postKeyTable } from '../api/post-keys.ts'
import type { Post } from '../api/resources.ts'
import type { RawDocument, RawWorkspace, WorkspaceFolders } from '../content/raw.ts'
import { quote } from '../diagnostics.ts'
import { readCustomFields } from './custom-fields.ts'
import { type Destination, type Destinations, type MediaFile, readPicture } from './destinations.ts'
import type { Mappings } from './front-matter-mapping.ts'
import { slugify } from './identifier.ts'
import { checkedFileSlug, Identities } from './identities.ts'
import { comparePosts } from './order.ts'
import { type PreparedPost, preparePost } from './prepared-post.ts'
import { type Problems, pathBelowKind } from './problems.ts'
import type { Reading } from './read-fields.ts'
import { References, type ResolvedTerms, type TermSets } from './references.ts'
import type { PostFields } from './schema.ts'
import type { WorkspaceSettings } from './settings.ts'
import { withheldFolder } from './withheld-keys.ts'

/** The posts of a workspace. */
export interface ReadPosts {
  readonly posts: readonly ReadPost[]
  /** For the author only: a build does not use them. */
  readonly drafts: readonly Draft[]
  /** Drafts as posts; empty unless drafts are loaded. */
  readonly draftPosts: readonly ReadPost[]
  /** Bodies of posts with errors, still to be checked, so that one run reports every problem. */
  readonly brokenBodies: readonly MarkdownBody[]
}

/** A post that is not published. */
export interface Draft {
  readonly title: string
  /** Null if it has no date yet. */
  readonly publishedAt: string | null
  readonly slug: string
  readonly file: string
}

/** A post and its Markdown. */
export interface ReadPost {
  /** True for a draft; only in a workspace with drafts. */
  readonly isDraft?: true
  readonly post: Post
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  readonly body: MarkdownBody
  /** Former slugs. */
  readonly aliases: readonly string[]
  /** The image file that is its cover; null for none. */
  readonly cover: MediaFile | null
}

/** The input of posts. */
export interface PostContext {
  readonly settings: WorkspaceSettings
  readonly mappings: Mappings
  readonly folders: WorkspaceFolders
  /** Grows if references create missing terms. */
  readonly terms: TermSets
  readonly destinations: Destinations
  readonly problems: Problems
  /** Milliseconds since 1970: later posts are scheduled. */
  readonly now: number
  /** Loads drafts as posts too. @default false */
  readonly keepsDrafts?: boolean | undefined
}

/** Reads every post of a workspace. Drafts are listed separately; their errors are reported too. */
export function readPosts(raw: RawWorkspace, context: PostContext): ReadPosts {
  const pathSlugOf = derivesFromPath(context.mappings)
    ? undefined
    : (file: string) => slugOfPath(file, context.folders.posts)
  const identities = new Identities(raw.id, 'posts', context.problems, pathSlugOf)
  const references = new References(raw.id, context)
  const posts: ReadPost[] = []
  const drafts: Draft[] = []
  const draftPosts: ReadPost[] = []
  const brokenBodies: MarkdownBody[] = []
  for (const document of raw.documents.get('posts') ?? []) {
    const post = readPost(document, context, identities, references)
    if (post === 'broken') {
      const { file, bodyHash, bodyLine } = document
      brokenBodies.push({ file, bodyHash, bodyLine })
    } else if ('file' in post) drafts.push(post)
    else if (post.isDraft) {
      drafts.push(draftOf(post))
      draftPosts.push(post)
    } else posts.push(post)
  }
  references.nameCreated()
  return { posts, drafts, draftPosts, brokenBodies }
}

function readPost(
  document: RawDocument,
  context: PostContext,
  identities: Identities,
  references: References,
): ReadPost | Draft | 'broken' {
  const prepared = preparePost(document, context)
  const { reading, read, isDraft, publishedAt, title, fileSlug } = prepared
  const { value: fields, failed } = read
  if (fields === undefined) return 'broken'
  reportFolder(document.file, prepared, context)
  const isScheduled = publishedAt !== undefined && Date.parse(publishedAt) > context.now
  const scheduledFor = isScheduled ? publishedAt : undefined
  const terms = references.resolve(read, reading, { isDraft, scheduledFor })
  const names = failed.has('slug')
    ? undefined
    : readNames(document, fields, fileSlug, { reading, context, identities })
  const custom = readCustomFields(context.settings.fields, prepared, context.problems)
  const cover = readPicture(fields.coverImage, ['coverImage'], reading, context)
  if (failed.size > 0 || custom.isBroken) return 'broken'
  const isWhole = names !== undefined && publishedAt !== undefined && terms !== undefined
  if (isWhole && (!isDraft || context.keepsDrafts)) {
    const computed = { ...names, title, publishedAt, ...terms }
    const post = wholePost(document, fields, { computed, own: custom.fields, cover })
    return isDraft ? { ...post, isDraft } : post
  }
  if (!isDraft) return 'broken'
  const { slug } = names ?? { slug: fileSlug }
  return { title, publishedAt: publishedAt ?? null, slug, file: document.file }
}

/** Reports a post in a folder such as `_drafts`. */
function reportFolder(
  file: string,
  { reading, isDraft }: Pick<PreparedPost, 'reading' | 'isDraft'>,
  { folders, problems }: PostContext,
): void {
  const folder = withheldFolder(pathBelowKind(file, folders.posts))
  if (folder === undefined || isDraft) return
  problems.report(reading.source, reading.at, {
    code: 'withheld-key',
    message: `The folder ${quote(folder)} keeps posts from readers in other tools, but quarry would publish this one.`,
    hint: 'Write `status: draft`, or move the post to publish it.',
  })
}

/** The computed values of a post, as opposed to those copied from front matter. */
interface Findings {
  readonly computed: Pick<Post, 'id' | 'slug' | 'title' | 'publishedAt'> & ResolvedTerms
  readonly own: Post['fields'] | undefined
  readonly cover: Destination
}

function wholePost(
  { file, bodyHash, bodyLine }: RawDocument,
  fields: PostFields,
  { computed: { id, slug, title, publishedAt, authors, category, tags }, own, cover }: Findings,
): ReadPost {
  const updatedAt = fields.updatedAt ?? publishedAt
  const coverImage = cover.url ?? fields.coverImage
  const terms = { authors, category, tags }
  const post = postOf(fields, { id, slug, title, coverImage, publishedAt, updatedAt, ...terms })
  return {
    post: own === undefined ? post : { ...post, fields: own },
    publishedAt: Date.parse(publishedAt),
    body: { file, bodyHash, bodyLine },
    aliases: [...new Set(fields.aliases)],
    cover: cover.media ?? null,
  }
}

function draftOf({ post: { title, publishedAt, slug }, body: { file } }: ReadPost): Draft {
  return { title, publishedAt, slug, file }
}

/** Sorts posts in publication order: latest first. */
export function inPublicationOrder(posts: readonly ReadPost[]): readonly ReadPost[] {
  // Compares numbers first: they have the order of the dates, and most posts have a unique date.
  return posts.toSorted((a, b) => b.publishedAt - a.publishedAt || comparePosts(a.post, b.post))
}

/** Builds a post from computed values and those copied from front matter. */
function postOf(fields: PostFields, computed: Omit<Post, CopiedKey>): Post {
  const copied = Object.fromEntries(copiedKeys.map((name) => [name, fields[name]]))
  // `Object.assign` instead of a spread copy, which takes twice the memory for a hundred thousand posts.
  return Object.assign(computed, copied as Pick<PostFields, CopiedKey>)
}

const copiedKeys = Object.keys(postKeyTable).filter(isCopied)

function isCopied(name: string): name is CopiedKey {
  const response = postKeyTable[name]?.response
  return response !== undefined && response.isComputed !== true
}

function readNames(
  document: RawDocument,
  fields: PostFields,
  fileSlug: string,
  claim: {
    readonly reading: Reading
    readonly context: PostContext
    readonly identities: Identities
  },
): Pick<Post, 'id' | 'slug'> | undefined {
  const { reading, identities } = claim
  const slug = fields.slug ?? derivedSlug(document, { ...claim, fileSlug })
  if (slug === undefined) return undefined
  const id = identities.claim(slug, fields.id, reading)
  const areFree = identities.claimAliases(fields.aliases, reading)
  return id === undefined || !areFree ? undefined : { id, slug }
}

interface SlugOrigin {
  readonly reading: Reading
  readonly context: PostContext
  readonly fileSlug: string
}

function derivedSlug(
  document: RawDocument,
  { reading, context: { mappings, folders, problems }, fileSlug }: SlugOrigin,
): string | undefined {
  const mapping = mappings.posts
  const text = (derivesFromPath(mappings) && slugOfPath(document.file, folders.posts)) || fileSlug
  const slugifies =
    typeof mapping.slug === 'object' && 'slugify' in mapping.slug && mapping.slug.slugify
  return checkedFileSlug(slugifies === true ? slugify(text) : text, reading.source, problems)
}

function derivesFromPath({ posts: { slug } }: Mappings): boolean {
  return typeof slug === 'object' && 'derive' in slug && slug.derive === 'path'
}

/** `acme/posts/2024/hello/index.md` → `2024-hello`; empty if the path has no name. */
function slugOfPath(file: string, folders: readonly string[]): string {
  return pathBelowKind(file, folders)
    .replace(/(^|\/)index$/u, '')
    .replaceAll('/', '-')
}

/** The Markdown body of a post: its hash and location. */
export interface MarkdownBody {
  readonly file: string
  /** SHA-256 of its UTF-8, hexadecimal. */
  readonly bodyHash: string
  /** Line of the file on which it begins, from 1. */
  readonly bodyLine: number
}
