// Parses the request line of a request that Node's parser refused, from the last bytes that the parser received.
import type { ErrorForm } from '../../api/errors.ts'
import { errorFormOf } from '../../api/routes.ts'

/** A request line, as far as it is known. */
export interface RequestLine {
  /** The size of the raw path and query; when the target does not end in the packet, its bytes in the packet. */
  readonly targetBytes: number
  /** False when the line contains bytes that are not allowed in a request line. */
  readonly isAscii: boolean
  readonly form: ErrorForm
}

/**
 * Reads the request line in a packet.
 *
 * Earlier packets are gone. When they contained the method, a packet without a space can only be part of a long
 * target or of a long value. It counts as an unfinished target.
 *
 * @param packet the bytes being parsed when the request was refused
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
