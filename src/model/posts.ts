// Posts: front matter, mapped and validated, with resolved references.
import { compareCodePoints } from '../api/bytes.ts'
import { parseDate } from '../api/dates.ts'
import { type CopiedKey, postKeyTable } from '../api/post-keys.ts'
import type { Post } from '../api/resources.ts'
import { isPost } from '../content/layout.ts'
import type { RawDocument, RawWorkspace, WorkspaceFolders } from '../content/raw.ts'
import { type Problem, quote } from '../diagnostics.ts'
import { readCustomFields } from './custom-fields.ts'
import { type Destination, type MediaFile, readPicture } from './destinations.ts'
import type { SlugSource } from './front-matter-mapping.ts'
import { slugify, splitFileName } from './identifier.ts'
import { checkedFileSlug, Identities } from './identities.ts'
import { mapPost } from './map-fields.ts'
import { firstHeading } from './post-title.ts'
import { pathBelowKind } from './problems.ts'
import {
  type Reading,
  readFieldsPartly,
  readingOf,
  unknownKey,
  warnUnknownKeys,
} from './read-fields.ts'
import {
  type ReadFields,
  type ReferenceContext,
  References,
  type ResolvedTerms,
} from './references.ts'
import { knownPostKeys, type PostFields, postSchema } from './schema.ts'
import { withheldFolder, withheldPost } from './withheld-keys.ts'

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

/** A post that is not published, or not any more. */
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
  /** Milliseconds since 1970; later than the build. Null for a post that stays. */
  readonly expiresAt: number | null
  readonly body: MarkdownBody
  /** Former slugs. */
  readonly aliases: readonly string[]
  /** Its own URL on the site; null for that of `links.post`. */
  readonly url: string | null
  /** The image file that is its cover; null for none. */
  readonly cover: MediaFile | null
}

/** The Markdown body of a post: its hash and location. */
export interface MarkdownBody {
  readonly file: string
  /** SHA-256 of its UTF-8, hexadecimal. */
  readonly bodyHash: string
  /** Line of the file on which it begins, from 1. */
  readonly bodyLine: number
}

/** The input of posts. */
export interface PostContext extends ReferenceContext {
  readonly folders: WorkspaceFolders
  /** Milliseconds since 1970: later posts are scheduled. */
  readonly now: number
  /** Loads drafts as posts too. @default false */
  readonly keepsDrafts?: boolean | undefined
}

/** Sorts posts in publication order: latest first, equal dates by id, descending. */
export function inPublicationOrder(posts: readonly ReadPost[]): readonly ReadPost[] {
  return posts.toSorted(
    (a, b) => b.publishedAt - a.publishedAt || compareCodePoints(b.post.id, a.post.id),
  )
}

/** Reads every post of a workspace. Drafts are listed separately; their errors are reported too. */
export function readPosts(raw: RawWorkspace, context: PostContext): ReadPosts {
  const reader = new PostReader(raw.id, context)
  const posts: ReadPost[] = []
  const drafts: Draft[] = []
  const draftPosts: ReadPost[] = []
  const brokenBodies: MarkdownBody[] = []
  for (const { document, role } of raw.files) {
    if (document === undefined || !isPost({ role })) continue
    const { post, draft } = reader.read(document)
    if (draft !== undefined) drafts.push(draft)
    if (post === undefined) {
      if (draft === undefined) brokenBodies.push(bodyOf(document))
    } else if (draft === undefined) posts.push(post)
    else if (context.keepsDrafts) draftPosts.push({ ...post, isDraft: true })
  }
  reader.references.nameCreated()
  return { posts, drafts, draftPosts, brokenBodies }
}

function bodyOf({ file, bodyHash, bodyLine }: RawDocument): MarkdownBody {
  return { file, bodyHash, bodyLine }
}

class PostReader {
  readonly references: References
  readonly #context: PostContext
  readonly #identities: Identities
  /** The mapping of slugs. */
  readonly #slugs: SlugSource

  constructor(workspace: string, context: PostContext) {
    const { slug } = context.mappings.posts
    this.#context = context
    this.#slugs = typeof slug === 'object' && !Array.isArray(slug) ? (slug as SlugSource) : {}
    this.#identities = new Identities(workspace, 'posts')
    this.references = new References(workspace, context)
  }

  /** @returns no post if there is an error, or something that a draft need not have is missing */
  read(document: RawDocument): { readonly post?: ReadPost; readonly draft?: Draft } {
    const { settings, folders, now, destinations } = this.#context
    const { file } = document
    const read = this.#readFields(document)
    const { fields, failed, reading, isDraft } = read
    const { slug: fileSlug, date } = splitFileName(pageNameOf(pathBelowKind(file, folders.posts)))
    const title = this.#titleOf(document, read) ?? fileSlug
    const publishedAt = this.#dateOf(read, date)
    if (!isDraft) this.#checkFolder(reading)
    const isScheduled = Date.parse(publishedAt ?? '') > now
    const terms = this.references.resolve(read, isScheduled ? (publishedAt ?? '') : '')
    const names = failed.has('slug') ? undefined : this.#namesOf(read, fileSlug)
    const custom = readCustomFields(settings, reading, isDraft)
    const cover = readPicture(fields.coverImage, ['coverImage'], reading, destinations)
    if (failed.size > 0 || custom === 'broken') return {}
    const slug = names?.slug ?? fileSlug
    const draft = isDraft ? { draft: { title, publishedAt: publishedAt ?? null, slug, file } } : {}
    const isIncomplete = names === undefined || publishedAt === undefined || terms === undefined
    if (isIncomplete || read.isExpired) return draft
    const computed = { ...names, title, publishedAt, ...terms }
    return { post: wholePost(document, fields, computed, custom, cover), ...draft }
  }

  #readFields(document: RawDocument): ReadFields {
    const { mappings, problems } = this.#context
    const { frontMatter } = document
    const written = readingOf(problems, document, frontMatter)
    const { usedKeys, moreCategories, fields: own, writtenAs } = mapPost(written.fields, mappings)
    const reading = written.with(own, written.at, writtenAs)
    if (moreCategories !== undefined) reading.report(moreCategories.at, severalCategories)
    const { value: fields, failed } = readFieldsPartly(postSchema, reading)
    const { status, draft } = fields
    if (draft !== undefined && status !== undefined && draft !== (status === 'draft')) {
      const message = `\`draft: ${draft}\` contradicts \`status: ${status}\`.`
      const hint = 'Keep `status` alone.'
      reading.report(['draft'], { code: 'conflicting-fields', message, hint })
    }
    const isExpired = Date.parse(fields.expiresAt ?? '') <= this.#context.now
    // Either field can make it a draft, so that a contradiction publishes nothing. An expired post is like one.
    const isDraft = draft === true || status === 'draft' || isExpired
    const isSilent = mappings.posts.ignore === true
    warnUnknownKeys(written, [...knownPostKeys, ...usedKeys], {
      withheld: isDraft ? undefined : withheldPost,
      unknown: (name) => (isSilent ? undefined : { ...unknownKey(name), hint: hintForKey(name) }),
    })
    return { fields, failed, reading, isDraft, isExpired }
  }

  /** The stated title, or the first heading, with a warning. */
  #titleOf(document: RawDocument, { fields, failed, reading }: ReadFields): string | undefined {
    if (failed.has('title') || fields.title !== undefined) return fields.title
    const { heading = firstHeading(document.body) ?? null } = document
    const what =
      heading === null ? "the file's name is the title" : 'the first heading is the title'
    const isEmpty = reading.fields.has('title')
    reading.report(['title'], {
      code: 'missing-title',
      severity: 'warning',
      message: `\`title\` is ${isEmpty ? 'empty' : 'missing'}; ${what}.`,
      hint: isEmpty ? 'Write a title, or remove the key.' : 'Add `title: …`.',
    })
    return heading ?? undefined
  }

  /** @returns undefined if it is invalid or missing, which has been reported */
  #dateOf({ fields, failed, reading }: ReadFields, fileDate = ''): string | undefined {
    if (failed.has('publishedAt')) return undefined
    const date = fields.publishedAt ?? parseDate(fileDate) ?? undefined
    if (date === undefined) reading.report(reading.at, missingDate)
    else if (fields.expiresAt !== null && fields.expiresAt <= date)
      reading.report(['expiresAt'], tooEarly)
    return date
  }

  /** Reports a post in a folder such as `_drafts`. */
  #checkFolder(reading: Reading): void {
    const folder = withheldFolder(pathBelowKind(reading.file, this.#context.folders.posts))
    if (folder === undefined) return
    reading.report(reading.at, {
      code: 'withheld-key',
      message: `The folder ${quote(folder)} keeps posts from readers in other tools, but quarry would publish this one.`,
      hint: 'Write `status: draft`, or move the post to publish it.',
    })
  }

  #namesOf(
    { fields, reading }: ReadFields,
    fileSlug: string,
  ): Pick<Post, 'id' | 'slug'> | undefined {
    const { derive, slugify: isSlugified = false } = this.#slugs
    const name = (derive === 'path' && this.#slugOfPath(reading.file)) || fileSlug
    const derived = isSlugified ? slugify(name) : name
    const slug = fields.slug ?? checkedFileSlug(derived, reading)
    const id = slug && this.#identities.claim(reading, slug, fields.id, fields.aliases)
    return slug && id ? { id, slug } : undefined
  }

  /** `acme/posts/2024/hello/index.md` → `2024-hello`; empty if the path has no name. */
  #slugOfPath(file: string): string {
    const path = pathBelowKind(file, this.#context.folders.posts)
    return path.replace(/(^|\/)index$/u, '').replaceAll('/', '-')
  }
}

/** `2024/hello` and `2024/hello/index` → `hello`. */
function pageNameOf(path: string): string {
  const page = path.replace(/\/index$/u, '')
  return page.slice(page.lastIndexOf('/') + 1)
}

function hintForKey(name: string): string {
  return `Your own keys go below \`fields:\`; \`frontMatter: { posts: { ignore: ['${name}'] } }\` in the configuration ignores this one.`
}

const tooEarly: Problem = {
  code: 'invalid-field',
  message: '`expiresAt` is not after `publishedAt`.',
  hint: 'Write `status: draft` to keep the post from readers.',
}

const severalCategories: Problem = {
  code: 'several-categories',
  severity: 'warning',
  message: 'A post has one category; the others become tags.',
  hint: "Set `frontMatter: { posts: { category: { take: 'first' } } }` in the configuration to leave them out.",
}

const missingDate: Problem = {
  code: 'missing-field',
  message: '`publishedAt` is missing.',
  hint: 'Add `publishedAt: 2026-03-04` or begin the file name with the date: `2026-03-04-….md`.',
}

function wholePost(
  document: RawDocument,
  fields: PostFields,
  computed: Pick<Post, 'id' | 'slug' | 'title' | 'publishedAt'> & ResolvedTerms,
  own: Post['fields'],
  cover: Destination,
): ReadPost {
  const { id, slug, title, publishedAt, authors, category, tags } = computed
  const updatedAt = fields.updatedAt ?? publishedAt
  const coverImage = cover.url ?? fields.coverImage
  const dated = { id, slug, title, coverImage, publishedAt, updatedAt, authors, category, tags }
  const copied = Object.fromEntries(copiedKeys.map((name) => [name, fields[name]]))
  // `Object.assign` instead of a spread copy, which takes twice the memory for a hundred thousand posts.
  const post: Post = Object.assign(dated, copied as Pick<PostFields, CopiedKey>)
  return {
    post: own === undefined ? post : { ...post, fields: own },
    publishedAt: Date.parse(publishedAt),
    expiresAt: fields.expiresAt === null ? null : Date.parse(fields.expiresAt),
    body: bodyOf(document),
    aliases: [...new Set(fields.aliases)],
    url: fields.url,
    cover: cover.media ?? null,
  }
}

const copiedKeys = Object.keys(postKeyTable).filter((name): name is CopiedKey => {
  const response = postKeyTable[name]?.response
  return response !== undefined && response.isComputed !== true
})
