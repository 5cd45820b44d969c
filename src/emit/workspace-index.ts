// The index of a workspace, made from its library: times, identifiers and posting lists.
import { type Term, type TermKind, termKinds } from '../api/resources.ts'
import type { Workspace } from '../model/library.ts'
import { type IdentifierTable, identifierTable } from '../query/identifiers.ts'
import { type PackedLists, packLists } from '../query/packed-lists.ts'
import type { PostIndex, TermIndex } from '../query/post-index.ts'

/** The index of a workspace's posts, in the workspace's order. */
export function indexWorkspace(workspace: Workspace): PostIndex {
  const { posts } = workspace
  const [categories, tags, authors] = termKinds.map((kind) =>
    indexTerms(workspace[kind], postingsOf(kind, workspace), workspace.created[kind]),
  ) as [TermIndex, TermIndex, TermIndex]
  return {
    publishedAt: Float64Array.from(posts, (post) => post.publishedAt),
    identifiers: slugsAndIds(posts.map(({ post }) => post)),
    all: Uint32Array.from(posts, (_, ordinal) => ordinal),
    featured: Uint32Array.from(
      posts.flatMap(({ post }, ordinal) => (post.featured ? [ordinal] : [])),
    ),
    terms: { categories, tags, authors },
  }
}

function postingsOf(kind: TermKind, workspace: Workspace): PackedLists {
  const lists = new Map(workspace[kind].map(({ id }): [string, number[]] => [id, []]))
  workspace.posts.forEach(({ post }, ordinal) => {
    const terms = kind === 'categories' ? [post.category] : post[kind]
    for (const { id } of terms) lists.get(id)?.push(ordinal)
  })
  return packLists([...lists.values()])
}

function indexTerms(
  terms: readonly Pick<Term, 'slug' | 'id'>[],
  postings: PackedLists,
  createdIds: readonly string[],
): TermIndex {
  const created = new Set(createdIds)
  return {
    identifiers: slugsAndIds(terms),
    slugs: identifierTable(new Map(terms.map((term, ordinal) => [term.slug, ordinal]))),
    postings,
    created: Uint32Array.from(
      terms.flatMap(({ id }, ordinal) => (created.has(id) ? [ordinal] : [])),
    ),
  }
}

function slugsAndIds(resources: readonly Pick<Term, 'slug' | 'id'>[]): IdentifierTable {
  const entries = resources.flatMap(({ slug, id }, ordinal): [string, number][] => [
    [slug, ordinal],
    [id, ordinal],
  ])
  return identifierTable(new Map(entries))
}
