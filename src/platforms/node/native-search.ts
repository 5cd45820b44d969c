// Looking for bytes sixteen at a time, and summing them up, by a few instructions of WebAssembly.
import {
  byteFinder,
  type MakeSearchable,
  type SearchableBytes,
  searchableBytes,
} from '../../query/byte-search.ts'

/** `find-bytes.wat`, assembled; a test does it again. */
export const program: string =
  'AGFzbQEAAAABEAJgBX9/f39/AX9gAn9/AX8DBAMAAQEFAwEAAQcXAwZtZW1vcnkCAARmaW5kAAADc3VtAAEKswQD2wICAnsFfyAD/QcAACEFIAT9BwAAIQYgASAAa0EBdCEKIAEgAmshAQJAA0AgACABSg0BAkAgACALSA0AA0AgAEHAAGohCyALIAFKDQEgACADav0ABAAgBf0jIAAgBGr9AAQAIAb9I/1OIAAgA2r9AAQQIAX9IyAAIARq/QAEECAG/SP9Tv1QIAAgA2r9AAQgIAX9IyAAIARq/QAEICAG/SP9TiAAIANq/QAEMCAF/SMgACAEav0ABDAgBv0j/U79UP1Q/VMNASALIQAMAAsLIAAgA2r9AAQAIAX9IyAAIARq/QAEACAG/SP9Tv1kIQcCQANAIAdFDQEgACAHaGohCCAIIAFKDQMgByAHQQFrcSEHQQAhCQJAA0AgCCAJai0AACAJLQAARw0BIAlBAWohCSAJIAJJDQALIAgPCyAKIAlrIQogCkEATg0AQX4PCwsgAEEQaiEADAALC0F/C8EBAgF7AX8gAiABIABr/RwAIQICQANAIABBEGogAUsNASACIAD9AAQA/VH9DLF5N56xeTeesXk3nrF5N579tQEhAiACQQ39qwEgAkET/a0B/VAhAiAAQRBqIQAMAAsLIAL9GwAhAwJAA0AgAEEEaiABSw0BIAMgACgCABACIQMgAEEEaiEADAALCwJAA0AgACABTw0BIAMgAC0AABACIQMgAEEBaiEADAALCyADIAL9GwEQAiAC/RsCEAIgAv0bAxACCxEAIAAgAXNBsfPd8XlsQQ13Cw=='

/** Bytes before what is looked through, for the pattern. */
const patternBytes = 64 * 1024
const pageBytes = 64 * 1024

/**
 * Bytes that are looked through some four times as fast as a loop in JavaScript does.
 *
 * @returns what any host has where this one has no such instructions
 */
export function nativeSearch(): MakeSearchable {
  try {
    const module = new WebAssembly.Module(Buffer.from(program, 'base64'))
    return (length) => allocate(module, length) ?? searchableBytes(length)
  } catch {
    return searchableBytes
  }
}

/** Null where the machine gives no more memories: each takes gigabytes of addresses. */
function allocate(module: object, length: number): SearchableBytes | null {
  const instance = instantiate(module)
  if (instance === null) return null
  const { memory, find, sum } = instance.exports
  // What is looked at behind the end too.
  memory.grow(Math.ceil((length + patternBytes + 16) / pageBytes))
  const whole = new Uint8Array(memory.buffer)
  const bytes = whole.subarray(patternBytes, patternBytes + length)
  return {
    bytes,
    checksum: (start, end) => sum(patternBytes + start, patternBytes + end) >>> 0,
    finder: (pattern) => {
      if (pattern.length > patternBytes) return byteFinder(bytes, pattern)
      whole.set(pattern)
      const [i, j] = rarest(pattern)
      return (start, end) => {
        const at = find(patternBytes + start, patternBytes + end, pattern.length, i, j)
        if (at === -2) return byteFinder(bytes, pattern)(start, end)
        return at === -1 ? -1 : at - patternBytes
      }
    },
  }
}

function instantiate(module: object) {
  try {
    return new WebAssembly.Instance(module)
  } catch {
    return null
  }
}

/** What is common in the texts of most languages, the commonest last. */
const common = 'mpdculhsrnitoae \0'

/** Places of the two bytes that are likely to be found least. */
function rarest(pattern: Uint8Array): readonly [number, number] {
  const order = [...pattern.keys()].sort((a, b) => commonness(pattern, a) - commonness(pattern, b))
  const [i = 0, j = i] = order
  return [i, j]
}

function commonness(pattern: Uint8Array, at: number): number {
  return common.indexOf(String.fromCharCode(pattern[at] ?? 0))
}

/** What of WebAssembly is used here: its types come with those of browsers alone. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
      find(at: number, end: number, size: number, i: number, j: number): number
      sum(at: number, end: number): number
    }
  }
}
