// The shape of a workspace's posts, for editors and clients: settings, terms that they may refer to, and slugs.
import type { ResourceKind, TermKind } from '../api/resources.ts'
import { deriveId } from './identifier.ts'
import type { Workspace } from './library.ts'
import type { WorkspaceSettings } from './settings.ts'
import { byTermKind } from './terms.ts'

/** The shape of a workspace's posts. */
export interface WorkspaceShape {
  readonly id: string
  readonly settings: WorkspaceSettings
  /** Names by which a post may refer to a term: slugs in name order, then stated ids. */
  readonly identifiers: Readonly<Record<TermKind, readonly string[]>>
  readonly slugs: PublishedSlugs
}

/** Slugs of all published resources, ascending. */
export type PublishedSlugs = Readonly<Record<ResourceKind, readonly string[]>>

/** @param now milliseconds since 1970; later posts, and terms that only they created, are left out */
export function shapeOf(workspace: Workspace, now: number): WorkspaceShape {
  const { id, settings } = workspace
  const published = workspace.posts.flatMap(({ post, publishedAt }) =>
    publishedAt <= now ? [post] : [],
  )
  const named = new Set(
    published
      .flatMap(({ category, tags, authors }) => [category, ...tags, ...authors])
      .map((term) => term.id),
  )
  const namesOf = (kind: TermKind) => {
    const created = new Set(workspace.created[kind])
    const stated = workspace[kind].filter((term) => !created.has(term.id))
    const withId = stated.filter((term) => term.id !== deriveId(id, kind, term.slug))
    return [...stated.map(({ slug }) => slug), ...withId.map((term) => term.id)]
  }
  const slugsOf = (kind: TermKind) => {
    const created = new Set(workspace.created[kind])
    const shown = workspace[kind].filter((term) => !created.has(term.id) || named.has(term.id))
    return shown.map(({ slug }) => slug).sort()
  }
  const slugs = { posts: published.map(({ slug }) => slug).sort(), ...byTermKind(slugsOf) }
  return { id, settings, identifiers: byTermKind(namesOf), slugs }
}
