// The worker that a deployment to Cloudflare runs, bundled into one file.
import { createWorker, type Worker } from './handler.ts'

const worker: Worker = createWorker()
export default worker
