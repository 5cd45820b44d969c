// The worker that a deployment to Cloudflare runs with `storage: 'r2'`, bundled into one file.
import {
  type Worker,
  type WorkerEnvironment,
  workerOf,
} from '../../platforms/cloudflare/handler.ts'
import { workerMemory } from '../../platforms/memory-bounds.ts'
import { createBucketHandler } from './handler.ts'
import { type R2Binding, r2Bucket } from './r2-bucket.ts'

/** The bindings of the worker. */
interface BucketEnvironment extends WorkerEnvironment {
  readonly BUCKET?: R2Binding
  readonly QUARRY_STORAGE_PREFIX?: string
}

const worker: Worker<BucketEnvironment> = workerOf((environment: BucketEnvironment) =>
  createBucketHandler({
    openBucket: () => {
      const { BUCKET, QUARRY_STORAGE_PREFIX } = environment
      if (BUCKET === undefined) throw new Error('Bind the bucket of R2 to the worker as BUCKET.')
      return r2Bucket(BUCKET, QUARRY_STORAGE_PREFIX)
    },
    environment,
    bounds: workerMemory,
  }),
)
export default worker
