// What only own content has: the order of a collection, and singletons.
import { compareCodePoints } from '../api/bytes.ts'
import { undated } from '../api/dates.ts'
import type { Post } from '../api/resources.ts'
import type { OrderBy, PostOrder } from '../api/snapshot.ts'
import type { RawDocument, RawWorkspace, YamlValue } from '../content/raw.ts'
import { jsonOf } from './custom-fields.ts'
import type { ReadPost, ReadPosts } from './posts.ts'
import type { Problems } from './problems.ts'
import { readingOf, warnUnknownKeys } from './read-fields.ts'
import { withheldPost } from './withheld-keys.ts'

/**
 * Returns the own order of a collection: the one that its definition names; else by publication where every item has a
 * date, and by path or row where one has none.
 *
 * @param items in the order of files and rows
 */
export function ownOrder(
  orderBy: OrderBy | null,
  items: readonly ReadPost[],
): { readonly order: PostOrder['order']; readonly own: readonly string[] | OrderBy | null } {
  const isByDate = orderBy === null && items.every(({ post }) => post.publishedAt !== '')
  if (orderBy === 'publishedAt' || isByDate) return { order: 'desc', own: null }
  if (orderBy !== null) return { order: orderBy === 'updatedAt' ? 'desc' : 'asc', own: orderBy }
  const paths = new Map(items.map(({ post, body }) => [post.id, segmentsOf(body.file)]))
  const own = items.map(({ post }) => post.id)
  // Sorting is stable, so rows of a file stay in their order.
  own.sort((a, b) => compareSegments(paths.get(a) ?? [], paths.get(b) ?? []))
  return { order: 'asc', own }
}

/** The path of a file as a tree: a page is before those in its folder. */
function segmentsOf(file: string): readonly string[] {
  return file.replace(/(?:\/index)?\.\w+$/u, '').split('/')
}

function compareSegments(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((segment, index) => segment !== b[index])
  if (at === -1 || b[at] === undefined) return a.length - b.length
  return compareCodePoints(a[at] ?? '', b[at])
}

/** Reads the singletons of a workspace: all their data is one value of fields. */
export function readSingletons(raw: RawWorkspace, problems: Problems): ReadPosts {
  const posts = raw.files.flatMap(({ role, document, yaml }) => {
    if (!('name' in role) || role.of !== 'singletons') return []
    if (document !== undefined) return [singletonOf(role.name, document, problems)]
    return yaml === undefined ? [] : [rowOf(role.name, yaml.value, { file: yaml.file })]
  })
  return { posts, drafts: [], draftPosts: [], brokenBodies: [], lastExpiry: 0 }
}

/** A file that another tool would hide is an error: a singleton is always public. */
function singletonOf(name: string, document: RawDocument, problems: Problems): ReadPost {
  const reading = readingOf(problems, document, document.frontMatter)
  warnUnknownKeys(reading, [], { withheld: withheldPost, unknown: () => undefined })
  return rowOf(name, document.frontMatter, document)
}

/** @param body without a hash for data alone */
function rowOf(
  name: string,
  value: YamlValue,
  { file, bodyHash = '', bodyLine = 1 }: Partial<RawDocument> & Pick<RawDocument, 'file'>,
): ReadPost {
  const own = { id: name, slug: name, title: name, publishedAt: '', updatedAt: '' }
  const post = { ...emptyPost, ...own, fields: jsonOf(value) as Exclude<Post['fields'], undefined> }
  return {
    ...{ post, body: { file, bodyHash, bodyLine } },
    ...{ publishedAt: undated, expiresAt: null, aliases: [], url: null, cover: null },
    ...(bodyHash === '' ? { isData: true } : {}),
  }
}

const emptyPost = {
  ...{ featured: false, coverImage: null, description: '', attribution: null },
  category: { id: '', slug: '', name: '', description: null },
  ...{ authors: [], tags: [] },
}
