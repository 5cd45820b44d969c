// `quarry follow`: keeps the output folder equal to a bucket until a signal.
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type FollowedBuild, Follower } from '../publish/follow.ts'
import { StoreError } from '../publish/store-error.ts'
import { createLog } from './log.ts'
import { readSettings } from './options.ts'
import { type BucketFlags, openStore } from './publish-command.ts'
import { formatBytes, plural, shortest } from './report.ts'

/** The flags of `quarry follow`. */
export interface FollowFlags extends BucketFlags {
  /** Seconds. */
  readonly interval?: number
  readonly once?: boolean
}

/** Follows the bucket. Failures after the first build are logged and retried. */
export async function runFollow(url: string, flags: FollowFlags): Promise<void> {
  const settings = await readSettings(flags)
  const out = resolve(settings.out)
  const stopped = new AbortController()
  const log = createLog(process.stderr)
  const onRetry = (error: string) => log({ event: 'follow-retry', error })
  const store = openStore(url, flags, stopped.signal, flags.once === true ? undefined : onRetry)
  const follower = new Follower(store, {
    out,
    content: resolve(settings.content),
    isOwnerOnly: settings.ownerOnly,
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => stopped.abort())
  }
  try {
    const first = await follower.update()
    if (first !== null) process.stdout.write(`${describe(first, out)}\n`)
    const missing = `There is no build in ${store.name} yet.`
    if (flags.once === true && first === null) throw new StoreError(missing)
    if (flags.once === true) return
    if (first === null) log({ event: 'follow-waits', reason: missing })
    await keepFollowing(follower, { seconds: flags.interval ?? 1, log, signal: stopped.signal })
  } catch (error) {
    if (!stopped.signal.aborted) throw error
  }
}

interface Following {
  /** Between two polls. */
  readonly seconds: number
  readonly log: ReturnType<typeof createLog>
  readonly signal: AbortSignal
}

async function keepFollowing(
  follower: Follower,
  { seconds, log, signal }: Following,
): Promise<void> {
  let failures = 0
  for (;;) {
    const wait = Math.min(seconds * 2 ** failures, Math.max(seconds, longestWait))
    await pause(wait * 1000, undefined, { signal })
    try {
      const followed = await follower.update()
      if (followed !== null) log({ event: 'build', ...followed })
      if (failures > 0) log({ event: 'follow-recovered', failures })
      failures = 0
    } catch (error) {
      signal.throwIfAborted()
      failures++
      log({ event: 'follow-failed', error: error instanceof Error ? error.message : String(error) })
    }
  }
}

/** Maximum seconds between two attempts while the store fails, unless the interval is longer. */
const longestWait = 30

function describe({ build, sequence, files, bytes }: FollowedBuild, out: string): string {
  const fetched = `${plural(files, 'file')} fetched, ${formatBytes(bytes)}`
  return `Build ${build} of commit ${sequence} is in ${shortest(out)}: ${fetched}`
}
