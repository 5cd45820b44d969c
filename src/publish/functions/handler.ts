// The handler of a function that reads its files from a bucket.
import {
  createOpeningHandler,
  type FunctionEnvironment,
  type FunctionHandler,
  logError,
} from '../../platforms/function-host.ts'
import { functionMemory, type MemoryBounds } from '../../platforms/memory-bounds.ts'
import { openedOnce } from '../../runtime/opened-once.ts'
import { pause } from '../../runtime/pause.ts'
import type { Bucket } from './bucket.ts'
import { PublishedSite } from './published-site.ts'

const attemptsMax = 3

/** Milliseconds after which a failed request is not repeated, and after which a response stops waiting for a check. */
const patience = { repeat: 5000, look: 1000 } as const

/** Options of a function that reads from a bucket. */
export interface BucketFunction {
  /** Called for the first request, and again until it succeeds. */
  readonly openBucket: () => Bucket
  readonly environment: FunctionEnvironment
  /** @default `functionMemory` */
  readonly bounds?: MemoryBounds
  /** @default the console, which function hosts keep as their log */
  readonly onError?: (error: unknown, requestId: string) => void
}

/**
 * Creates a handler for the latest build in a bucket. It checks for a newer build at most every ten seconds: after a
 * response if the host allows work there, otherwise before one.
 *
 * All bytes are verified by checksums. A response with status 500 is computed again, at most twice, from newly read bytes
 * and from the latest build, because a garbage collection may have removed the old one.
 */
export function createBucketHandler({
  openBucket,
  environment,
  bounds = functionMemory,
  onError = logError,
}: BucketFunction): FunctionHandler {
  const published = openedOnce(() => new PublishedSite(openBucket(), bounds))
  const opened = async () => (await published()).open()
  const handle = createOpeningHandler(environment, onError, opened)
  const look = async () => {
    const site = await published()
    await site.look().catch((error) => onError(error, ''))
  }
  const recover = async () => (await published()).recover()
  return async (request, clientAddress, waitUntil) => {
    const started = Date.now()
    // The handler reports missing settings.
    if (waitUntil === undefined) await Promise.race([look().catch(() => {}), pause(patience.look)])
    for (let attempt = 1; ; attempt++) {
      const response = await handle(request, clientAddress)
      const isOver = attempt === attemptsMax || Date.now() - started > patience.repeat
      if (response.status !== 500 || isOver || !/^(?:GET|HEAD)$/.test(request.method)) {
        waitUntil?.(look().catch(() => {}))
        return response
      }
      await recover().catch(() => {})
    }
  }
}
