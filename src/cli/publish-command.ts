// `quarry publish`: uploads a build to a bucket, and reports the cost.
import { resolve } from 'node:path'
import { readBuiltSite } from '../publish/built-site.ts'
import { collectGarbage } from '../publish/collect.ts'
import { readLineage } from '../publish/lineage.ts'
import { publishBuild } from '../publish/publish.ts'
import { S3Client } from '../publish/s3-client.ts'
import { readCredentials, readLocation, type S3Flags } from '../publish/s3-location.ts'
import { BuildStore } from '../publish/store.ts'
import { type CommonFlags, readSettings } from './options.ts'
import type { PurgeKind } from './purge-after.ts'
import { formatBytes, plural } from './report.ts'

/** Flags of the commands that use a bucket. */
export interface BucketFlags extends CommonFlags, S3Flags {}

/** The flags of `quarry publish`. */
export interface PublishFlags extends BucketFlags {
  readonly responses?: boolean
  readonly source?: string
  readonly rollback?: boolean
  /** Hours; true for the default. */
  readonly gc?: number | true
  readonly purge?: PurgeKind
  /** Seconds between the commit and the purge. */
  readonly purgeAfter?: number
  readonly json?: boolean
}

/**
 * Opens the bucket of a URL.
 *
 * @param onRetry says that a request failed and is repeated. @default writes to stderr
 * @throws UseError for an invalid URL, or without credentials
 */
export function openStore(
  url: string,
  flags: BucketFlags,
  signal?: AbortSignal,
  onRetry: (message: string) => void = (message) => process.stderr.write(`warning: ${message}\n`),
): BuildStore {
  const location = readLocation(url, flags, process.env)
  const credentials = readCredentials(process.env)
  const client = new S3Client(location, credentials, {
    onRetry,
    ...(signal === undefined ? {} : { signal }),
  })
  return new BuildStore(client, (sequence) => {
    process.stderr.write(
      `Waiting for the garbage collection of commit ${sequence}, 3 minutes at most.\n`,
    )
  })
}

/** Imported only for a purge. */
async function openPurge(kind: PurgeKind) {
  const { purgeAfter } = await import('./purge-after.ts')
  return purgeAfter(kind, process.env)
}

/** Publishes, and removes unused data if requested. */
export async function runPublish(url: string, flags: PublishFlags): Promise<void> {
  const { purge: kind = null, purgeAfter = 5 } = flags
  const purge = kind === null ? null : await openPurge(kind)
  const store = openStore(url, flags)
  const settings = await readSettings(flags)
  const built = readBuiltSite(resolve(settings.out), flags.responses === true)
  const lineage = await readLineage(resolve(settings.content), flags.source)
  const publishing = { built, lineage, isRollback: flags.rollback === true }
  const published = await publishBuild(store, publishing)
  const { build } = built.manifest
  const { gc } = flags
  const collected = gc === undefined ? null : await collectGarbage(store, gc === true ? 24 : gc)
  const { requests } = store
  const { sequence, isNew, objects, bytes } = published
  const purged = isNew ? await purge?.(store, { sequence, built, seconds: purgeAfter }) : undefined
  if (flags.json === true) {
    process.stdout.write(
      `${JSON.stringify({ build, ...published, ...collected, ...purged, requests })}\n`,
    )
    return
  }
  const work = `${plural(objects, 'new object')}, ${formatBytes(bytes)}, ${plural(requests, 'request')}`
  process.stdout.write(
    isNew
      ? `Published build ${build} as commit ${sequence} of ${store.name}: ${work}\n`
      : `Build ${build} is commit ${sequence} of ${store.name} already\n`,
  )
  if (purged?.urls !== undefined)
    process.stdout.write(purged.urls.map((line) => `${line}\n`).join(''))
  if (purged?.tags !== undefined) process.stdout.write(`Purged ${plural(purged.tags, 'tag')}\n`)
  if (collected === null) return
  const rest = collected.left === 0 ? '' : `, ${collected.left} are left to the next --gc`
  process.stdout.write(`Removed ${plural(collected.removed, 'object')}${rest}\n`)
}
