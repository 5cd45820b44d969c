// The first line of a request that Node's parser refused, read from the bytes that it was given last.
import type { ErrorForm } from '../../api/errors.ts'
import { errorFormOf } from '../../api/routes.ts'

/** A request line, as far as it is known. */
export interface RequestLine {
  /** The size of the raw path and query; of a target that does not end in the packet, the bytes in it. */
  readonly targetBytes: number
  /** False when the line has bytes that no request line may have. */
  readonly isAscii: boolean
  readonly form: ErrorForm
}

/**
 * The request line in a packet.
 *
 * Packets before this one are gone: where they held the method, a packet without a blank can only be part of a long
 * target or of a long value, and counts as a target without end.
 *
 * @param packet the bytes that were parsed when the request was refused
 */
export function readRequestLine(packet: Uint8Array): RequestLine {
  const end = packet.indexOf(lineFeed)
  const text = Buffer.from(packet.subarray(0, end === -1 ? packet.length : end)).toString('latin1')
  const [, target = ''] = /^[A-Z]+ (\S*)/.exec(text) ?? /^(\S*) HTTP\//.exec(text) ?? []
  const isMiddle = end === -1 && !/\s/.test(text)
  return {
    targetBytes: isMiddle ? Number.POSITIVE_INFINITY : target.length,
    isAscii: !/[\x80-\xff]/.test(text),
    form: errorFormOf(target),
  }
}

const lineFeed = 0x0a
