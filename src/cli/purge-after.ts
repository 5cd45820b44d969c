// The purge after a publication: its failure is a warning, because responses expire by themselves.
import { setTimeout as pause } from 'node:timers/promises'
import type { Manifest } from '../emit/manifest.ts'
import type { TaggingCache } from '../platforms/cache-tags.ts'
import type { BuiltSite } from '../publish/built-site.ts'
import { changedTags, changedTargets } from '../publish/changed-responses.ts'
import { manifestOf } from '../publish/publish.ts'
import { openPurger } from '../publish/purge.ts'
import type { BuildStore } from '../publish/store.ts'

/** A cache, or a list of URLs for another one. */
export type PurgeKind = TaggingCache | 'urls'

interface Publication {
  readonly sequence: number
  readonly built: BuiltSite
  readonly seconds: number
}

/** Tags that were purged, or URLs without their origin. */
interface Purged {
  readonly tags?: number
  readonly urls?: readonly string[]
}

/** A purge of what differs from the commit before. @throws UseError when a credential is missing */
export function purgeAfter(
  kind: PurgeKind,
  environment: Readonly<Record<string, string | undefined>>,
): (store: BuildStore, publication: Publication) => Promise<Purged> {
  const purger = kind === 'urls' ? null : openPurger(kind, environment)
  return async (store, { sequence, built: { manifest }, seconds }) => {
    try {
      const before = await manifestBefore(store, sequence)
      if (purger === null) return { urls: changedTargets(before, manifest) }
      const tags = changedTags(before, manifest)
      // A server that still has the last build would fill the cache with it again.
      await pause(seconds * 1000)
      await purger.purge(tags)
      return { tags: tags.length }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      process.stderr.write(
        `warning: The purge failed: ${reason}. Caches keep old responses until those expire.\n`,
      )
      return {}
    }
  }
}

/** Null for the first commit, and where the manifest is of another version or gone. */
async function manifestBefore(store: BuildStore, sequence: number): Promise<Manifest | null> {
  const commit = sequence === 1 ? null : await store.readCommit(sequence - 1)
  return commit === null ? null : manifestOf(store, commit.record).catch(() => null)
}
