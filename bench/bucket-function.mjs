// Sends requests to a function's handler over a bucket, and prints the bucket requests and bytes of each class.
// Usage: node bucket-function.mjs < CLASSES, with the environment of the function
import { readFileSync } from 'node:fs'
import { createBucketHandler } from '../.lib/publish/functions/handler.js'
import { s3Bucket } from '../.lib/publish/functions/s3-bucket.js'

/** Simulated latency of a request within a region, next to a store that responds at once. */
const milliseconds = 20
let requests = 0
let bytes = 0
const handle = createBucketHandler({
  openBucket: () => {
    const bucket = s3Bucket(process.env)
    const read = async (...words) => {
      requests++
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      const part = await bucket.read(...words)
      bytes += part?.bytes.length ?? 0
      return part
    }
    return { ...bucket, read }
  },
  environment: { QUARRY_RATE_LIMIT: 'off' },
})

async function send(target) {
  const before = { requests, bytes, started: performance.now() }
  const response = await handle(new Request(`https://host.invalid${target}`), '')
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${target} is a ${response.status}`)
  return {
    requests: requests - before.requests,
    bytes: bytes - before.bytes,
    milliseconds: performance.now() - before.started,
  }
}

// Buffers are no part of V8's heap, and count for the memory limit of a worker.
let heapBytes = 0
const sample = () => {
  const { heapUsed, external } = process.memoryUsage()
  heapBytes = Math.max(heapBytes, heapUsed + external)
}
setInterval(sample, 5).unref()

const classes = JSON.parse(readFileSync(0, 'utf8'))
const results = []
for (const { name, targets } of classes) {
  const sent = []
  for (const target of targets) sent.push(await send(target))
  results.push({ name, sent })
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const processorMilliseconds = (userCPUTime + systemCPUTime) / 1000
const peakBytes = maxRSS * 1024
process.stdout.write(JSON.stringify({ results, processorMilliseconds, peakBytes, heapBytes }))
