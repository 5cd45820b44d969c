// Worker module that builds search segments.
import { Tinypool } from 'tinypool'
import { CacheDamageError } from '../cache/stored-bytes.ts'
import { makeSegment, type SegmentInput } from './segment.ts'
import type { SegmentReply } from './segment-threads.ts'

/** Builds a segment. Its files are transferred to the main thread, not copied. */
export default function make(input: SegmentInput): SegmentReply {
  try {
    const made = makeSegment(input)
    // Files may be views of one buffer, which is transferred once.
    const buffers = new Set([...made.files, ...made.records].map(({ bytes }) => bytes.buffer))
    return moved({ kind: 'made', made }, [...buffers])
  } catch (error) {
    if (error instanceof CacheDamageError) return { kind: 'damaged', path: error.path }
    throw error
  }
}

/** Returns a value that tinypool posts with these buffers as its transfer list. */
function moved(value: SegmentReply, buffers: readonly ArrayBufferLike[]): SegmentReply {
  const { transferableSymbol, valueSymbol } = Tinypool
  // Tinypool exports no types for its symbols.
  const transferable = { [transferableSymbol]: buffers, [valueSymbol]: value } as never
  return Tinypool.move(transferable) as never
}
