// Parses the URLs of a `srcset` attribute (HTML, "parse a srcset attribute") with their positions.

/** An image of a `srcset`. */
export interface Candidate {
  readonly url: string
  /** Index of the URL in the attribute's value. */
  readonly start: number
  /** `2x`, `640w`, or empty. */
  readonly descriptor: string
}

/** Cost: O(length). */
export function srcsetCandidates(srcset: string): readonly Candidate[] {
  const candidates: Candidate[] = []
  const pattern = /[\s,]*([^\s,]\S*)/y
  for (let match = pattern.exec(srcset); match !== null; match = pattern.exec(srcset)) {
    const [whole, text = ''] = match
    const start = match.index + whole.length - text.length
    const url = text.replace(/(?<!,),+$/, '')
    // A comma at the end of the URL ends the candidate; otherwise a descriptor follows.
    const end = srcset.indexOf(',', pattern.lastIndex)
    const descriptorEnd = url === text ? (end === -1 ? srcset.length : end) : pattern.lastIndex
    const descriptor = srcset.slice(pattern.lastIndex, descriptorEnd).trim()
    pattern.lastIndex = descriptorEnd
    if (url !== '') candidates.push({ url, start, descriptor })
  }
  return candidates
}

/** Formats a `srcset`. */
export function srcsetOf(candidates: readonly Pick<Candidate, 'url' | 'descriptor'>[]): string {
  return candidates.map(({ url, descriptor }) => `${url} ${descriptor}`.trimEnd()).join(', ')
}
