// The handler of a function that reads its files from a bucket.
import {
  createOpeningHandler,
  type FunctionEnvironment,
  type FunctionHandler,
  logError,
} from '../../platforms/function-host.ts'
import { openedOnce } from '../../runtime/opened-once.ts'
import type { Bucket } from './bucket.ts'
import { PublishedSite } from './published-site.ts'

/** Pages that are kept where nothing else is said. */
const cacheBytesDefault = 16 * 1024 * 1024

const attemptsMax = 3

/** A request that took so long is not tried again; nor does a response wait so long for a look at the bucket. */
const patience = { repeat: 5000, look: 1000 } as const

/** The parts of a function over a bucket. */
export interface BucketFunction {
  /** Called with the first request, and again while it throws. */
  readonly openBucket: () => Bucket
  readonly environment: FunctionEnvironment
  /** Bytes of the bucket's objects that are kept. @default 16 MiB */
  readonly cacheBytes?: number
  /** @default the console, which function hosts keep as their log */
  readonly onError?: (error: unknown, requestId: string) => void
}

/**
 * A handler over the latest build in a bucket. It looks for a newer one every ten seconds at most: after a response
 * where the host permits that, else before one.
 *
 * All bytes are compared with their checksums. A response of status 500 is made again, at most twice: from bytes
 * that are read again, and from a newer build where there is one, as a collection of garbage may have removed the old.
 */
export function createBucketHandler({
  openBucket,
  environment,
  cacheBytes = cacheBytesDefault,
  onError = logError,
}: BucketFunction): FunctionHandler {
  const published = openedOnce(() => new PublishedSite(openBucket(), cacheBytes))
  const opened = async () => (await published()).open()
  const handle = createOpeningHandler(environment, onError, opened)
  const look = async () => {
    const site = await published()
    if (site.isDue) await site.look().catch((error) => onError(error, ''))
  }
  const recover = async () => (await published()).recover()
  return async (request, clientAddress, waitUntil) => {
    const started = Date.now()
    // A missing setting is reported by the handler.
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
