// The purge after a publication. Its failure is only a warning, as responses expire anyway.
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

/** Number of purged tags, or URLs without their origin. */
interface Purged {
  readonly tags?: number
  readonly urls?: readonly string[]
}

/** Purges what differs from the previous commit. @throws UseError if a credential is missing */
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
      // A server that still serves the previous build would fill the cache with it again.
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

/** Null for the first commit, and for a manifest that is missing or of another version. */
async function manifestBefore(store: BuildStore, sequence: number): Promise<Manifest | null> {
  const commit = sequence === 1 ? null : await store.readCommit(sequence - 1)
  return commit === null ? null : manifestOf(store, commit.record).catch(() => null)
}
