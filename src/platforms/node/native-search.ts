// Looking for bytes sixteen at a time, and summing them up, by a few instructions of WebAssembly.
import {
  byteFinder,
  type MakeSearchable,
  type SearchableBytes,
  searchableBytes,
} from '../../query/byte-search.ts'

/** `find-bytes.wat`, assembled; a test does it again. */
export const program: string =
  'AGFzbQEAAAABEQJgBn9/f39/fwF/YAJ/fwF/AwQDAAEBBQMBAAEHFwMGbWVtb3J5AgAEZmluZAAAA3N1bQABCsYFA+4DAgV7BX8gA/0HAAAhBiAE/QcAACEHIAX9BwAAIQhBAP0ABAAhCf0MAAECAwQFBgcICQoLDA0OD0EQIAIgAkEQSxv9D/0sIQogASAAa0EBdCEOIAEgAmshAQJAA0AgACABSg0BAkAgACAPSA0AA0AgAEHAAGohDyAPIAFKDQEgACADav0ABAAgBv0jIAAgBGr9AAQAIAf9I/1OIAAgBWr9AAQAIAj9I/1OIAAgA2r9AAQQIAb9IyAAIARq/QAEECAH/SP9TiAAIAVq/QAEECAI/SP9Tv1QIAAgA2r9AAQgIAb9IyAAIARq/QAEICAH/SP9TiAAIAVq/QAEICAI/SP9TiAAIANq/QAEMCAG/SMgACAEav0ABDAgB/0j/U4gACAFav0ABDAgCP0j/U79UP1Q/VMNASAPIQAMAAsLIAAgA2r9AAQAIAb9IyAAIARq/QAEACAH/SP9TiAAIAVq/QAEACAI/SP9Tv1kIQsCQANAIAtFDQEgACALaGohDCAMIAFKDQMgCyALQQFrcSELIAz9AAQAIAn9IyAK/VD9Y0UNAEEQIQ0CQANAIA0gAk8EQCAMDwsgDCANai0AACANLQAARw0BIA1BAWohDQwACwsgDiANayEOIA5BAE4NAEF+DwsLIABBEGohAAwACwtBfwvBAQIBewF/IAIgASAAa/0cACECAkADQCAAQRBqIAFLDQEgAiAA/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQIgAkEN/asBIAJBE/2tAf1QIQIgAEEQaiEADAALCyAC/RsAIQMCQANAIABBBGogAUsNASADIAAoAgAQAiEDIABBBGohAAwACwsCQANAIAAgAU8NASADIAAtAAAQAiEDIABBAWohAAwACwsgAyAC/RsBEAIgAv0bAhACIAL9GwMQAgsRACAAIAFzQbHz3fF5bEENdws='

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
  // Bytes behind the end are compared too.
  memory.grow(Math.ceil((length + patternBytes + 16) / pageBytes))
  const whole = new Uint8Array(memory.buffer)
  const bytes = whole.subarray(patternBytes, patternBytes + length)
  return {
    bytes,
    checksum: (start, end) => sum(patternBytes + start, patternBytes + end) >>> 0,
    finder: (pattern) => {
      if (pattern.length > patternBytes) return byteFinder(bytes, pattern)
      whole.set(pattern)
      const [i, j, k] = rarest(pattern)
      return (start, end) => {
        const at = find(patternBytes + start, patternBytes + end, pattern.length, i, j, k)
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

/** The common bytes in the texts of most languages, the commonest last. */
const common = 'mpdculhsrnitoae \0'

/**
 * Three places in the pattern whose bytes are together in few texts: the two rarest bytes, and the rarest that is next to
 * neither of them, as neighbours are often one syllable. Places repeat in a pattern that is shorter.
 */
function rarest(pattern: Uint8Array): readonly [number, number, number] {
  const order = [...pattern.keys()].sort((a, b) => commonness(pattern, a) - commonness(pattern, b))
  const [i = 0, j = i, ...others] = order
  const k = others.find((at) => Math.abs(at - i) > 1 && Math.abs(at - j) > 1)
  return [i, j, k ?? others[0] ?? j]
}

function commonness(pattern: Uint8Array, at: number): number {
  return common.indexOf(String.fromCharCode(pattern[at] ?? 0))
}

/** The part of WebAssembly that is used here: its types come with those of browsers alone. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
      find(at: number, end: number, size: number, i: number, j: number, k: number): number
      sum(at: number, end: number): number
    }
  }
}
