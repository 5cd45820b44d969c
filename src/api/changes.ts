// Changes of resources between builds, and since the last build: posts and items that became visible or expired.
import type { Change } from '#client'
import { etagOf, type Piece } from './api-response.ts'
import { readPost } from './include.ts'
import { scopeOf } from './keys.ts'
import type { ApiRequest } from './request.ts'
import type { PostPart, Snapshot } from './snapshot.ts'
import { visibilityAt } from './visibility.ts'

/** Number of builds whose changes are stored. */
export const stepsMax = 20

/** Returns a name of a resource that is unique in its workspace. */
export function changeKey({ kind, id }: Pick<Change, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Returns the HTML response of a post, an item or a singleton without parameters, whose ETag its changes have. */
export function rowBody(kind: string, ordinal: number, snapshot: Snapshot): readonly Piece[] {
  const part = (name: PostPart): Piece => ({ of: 'posts', part: name, ordinal })
  const name = kind.startsWith('collections/') ? 'item' : kind.slice(0, -1)
  const content = snapshot.isData(ordinal) ? [] : [',"content":', part('html')]
  return [`{"${name}":`, part('head'), ...content, part('tail'), '}']
}

/** Returns the changes since a build ('' for all) that a request may read; null if the build is not stored. */
export async function changesJson(
  since: string,
  { history, spaces }: Pick<Snapshot, 'history' | 'spaces'>,
  now: number,
  { version, scopes }: Pick<ApiRequest, 'version' | 'scopes'>,
): Promise<string | null> {
  const { workspace, build, steps } = await history()
  const end = since === build ? 0 : steps.findIndex((step) => step.since === since) + 1
  if (end === 0 && since !== '' && since !== build) return null
  const laterSteps = since === '' ? steps : steps.slice(0, end)
  // Ordered by the time of each resource's latest change, ascending.
  const found = new Map<string, Change>()
  const changes = laterSteps.flatMap(
    ({ changes: all }) => all[workspace] ?? all[`${version}/${workspace}`] ?? [],
  )
  for (const change of changes.reverse()) merge(change, found)
  // Posts and items that appeared or expired after the last build are new to every client.
  const later: Change[] = []
  for (const [name, open] of spaces) {
    const space = await open()
    const { scheduled } = await space.history()
    const { first } = visibilityAt(space, now)
    const add = async (type: Change['type'], ordinal: number, instant: number) => {
      const kind = name === '' ? 'posts' : `collections/${name}`
      const { id, slug } = await readPost(ordinal, space)
      const etag = await etagOf(rowBody(kind, ordinal, space), space)
      later.push({ type, kind, id, slug, etag, at: new Date(instant).toISOString() })
    }
    for (let ordinal = scheduled - 1; ordinal >= first; ordinal--)
      await add('published', ordinal, space.publishedAt(ordinal))
    for (const [ordinal, at] of space.expiries) if (at <= now) await add('removed', ordinal, at)
  }
  for (const change of later.sort((a, b) => (a.at < b.at ? -1 : 1))) {
    found.delete(changeKey(change))
    found.set(changeKey(change), change)
  }
  const isReadable = ({ kind }: Change) => scopes?.includes(scopeOf(kind)) ?? true
  return JSON.stringify({ build, changes: [...found.values()].reverse().filter(isReadable) })
}

/** Merges a change into the earlier change of its resource, so that a client gets only the result. */
function merge(change: Change, found: Map<string, Change>): void {
  const key = changeKey(change)
  const before = found.get(key)
  const isRemoved = change.type === 'removed'
  found.delete(key)
  if (before?.type === 'published') {
    if (!isRemoved) found.set(key, { ...change, type: 'published', at: before.at })
  } else found.set(key, before && !isRemoved ? { ...change, type: 'updated' } : change)
}
