// The program of a thread that makes search segments, one after the other.
// Knows nothing of the output folder.
import { parentPort } from 'node:worker_threads'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import { makeSegment, type SegmentInput } from './segment.ts'
import type { SegmentReply } from './segment-threads.ts'

parentPort?.on('message', (input: SegmentInput) => {
  try {
    const made = makeSegment(input)
    // Files may be parts of one buffer, which is moved once.
    const buffers = new Set(
      [...made.files, ...made.records].map(({ bytes }) => bytes.buffer as ArrayBuffer),
    )
    reply({ kind: 'made', made }, [...buffers])
  } catch (error) {
    const damaged = error instanceof CacheDamageError ? error.path : null
    reply({ kind: 'failed', error, damaged })
  }
})

function reply(message: SegmentReply, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}
