// The shape of a workspace's posts, for editors and clients: settings, terms that they may refer to, and slugs.
import type { ResourceKind, TermKind } from '../api/resources.ts'
import type { FieldDefinition } from './custom-fields.ts'
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
  /** In order of definition. */
  readonly collections: readonly CollectionShape[]
}

/** The shape of the items of a collection. */
export interface CollectionShape {
  readonly name: string
  readonly fields: readonly FieldDefinition[]
  /** Slugs of its published items, ascending. */
  readonly slugs: readonly string[]
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
  const collections = workspace.collections.flatMap(({ collection, fields, posts }) => {
    if (collection?.kind !== 'items') return []
    const shown = posts.filter(({ publishedAt }) => publishedAt <= now)
    return [{ name: collection.name, fields, slugs: shown.map(({ post }) => post.slug).sort() }]
  })
  return { id, settings, identifiers: byTermKind(namesOf), slugs, collections }
}
