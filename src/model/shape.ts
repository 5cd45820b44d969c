// The shape of a workspace's posts: settings, custom fields, and the terms that they may refer to.
import { type ResourceKind, type Term, type TermKind, termKinds } from '../api/resources.ts'
import type { RawContent } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { Mappings } from './front-matter-mapping.ts'
import { deriveId } from './identifier.ts'
import type { Workspace } from './library.ts'
import { compareTerms } from './order.ts'
import { Problems } from './problems.ts'
import { readSettings, type WorkspaceSettings } from './settings.ts'
import { readTerms, type TermSet } from './terms.ts'

/** A workspace without its posts. */
export interface WorkspaceShape {
  readonly id: string
  readonly settings: WorkspaceSettings
  /** Names by which a post may refer to a term: slugs in name order, then stated ids. */
  readonly identifiers: Readonly<Record<TermKind, readonly string[]>>
}

/** Slugs of all published resources, ascending. */
export type PublishedSlugs = Readonly<Record<ResourceKind, readonly string[]>>

/**
 * Returns the published slugs.
 *
 * @param now milliseconds since 1970; later posts, and terms that only they created, are left out
 */
export function publishedSlugs(workspace: Workspace, now: number): PublishedSlugs {
  const posts = workspace.posts.filter(({ publishedAt }) => publishedAt <= now)
  const slugsOf = (kind: TermKind) => {
    const created = new Set(workspace.created[kind])
    const named = posts.flatMap(({ post }) =>
      (kind === 'categories' ? [post.category] : post[kind]).map(({ id }) => id),
    )
    for (const id of named) created.delete(id)
    const terms: readonly Pick<Term, 'id' | 'slug'>[] = workspace[kind]
    return terms.flatMap(({ id, slug }) => (created.has(id) ? [] : [slug])).sort()
  }
  return {
    posts: posts.map(({ post }) => post.slug).sort(),
    categories: slugsOf('categories'),
    tags: slugsOf('tags'),
    authors: slugsOf('authors'),
  }
}

/** Returns the shapes of all workspaces, and every problem in them. */
export function readShapes(
  { workspaces }: RawContent,
  mappings: Mappings,
): {
  readonly shapes: readonly WorkspaceShape[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const problems = new Problems()
  const shapes = workspaces.map((raw) => {
    const settings = readSettings(raw, problems)
    const identifiers = termKinds.map((kind) => [
      kind,
      identifiersOf(raw.id, kind, readTerms(raw, kind, { mappings, problems })),
    ])
    return { id: raw.id, settings, identifiers: Object.fromEntries(identifiers) }
  })
  return { shapes, diagnostics: problems.diagnostics }
}

/** Leaves derived ids out: posts do not use them. */
function identifiersOf(workspace: string, kind: TermKind, terms: TermSet): readonly string[] {
  const sorted = terms.sorted(compareTerms)
  const stated = sorted.filter(({ id, slug }) => id !== deriveId(workspace, kind, slug))
  return [...sorted.map(({ slug }) => slug), ...stated.map(({ id }) => id)]
}
