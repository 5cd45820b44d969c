// The entry point of a Cloudflare deployment, bundled into one file.
import { createWorker, type Worker } from './handler.ts'

const worker: Worker = createWorker()
export default worker
