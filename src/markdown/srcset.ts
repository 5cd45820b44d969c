// The URLs of a `srcset` attribute (HTML, "parse a srcset attribute"), each with its place in the text.

/** One image of a `srcset`. */
export interface Candidate {
  readonly url: string
  /** Index of the URL in the attribute's text. */
  readonly start: number
  /** `2x`, `640w`, or empty. */
  readonly descriptor: string
}

/** Cost: O(length). */
export function srcsetCandidates(srcset: string): readonly Candidate[] {
  const candidates: Candidate[] = []
  const pattern = /[\s,]*(\S+)/y
  for (let match = pattern.exec(srcset); match !== null; match = pattern.exec(srcset)) {
    const [whole, text = ''] = match
    const start = match.index + whole.length - text.length
    const url = text.replace(/,+$/, '')
    // A comma at its end is the end of the candidate; a descriptor follows otherwise.
    const end = srcset.indexOf(',', pattern.lastIndex)
    const descriptorEnd = url === text ? (end === -1 ? srcset.length : end) : pattern.lastIndex
    const descriptor = srcset.slice(pattern.lastIndex, descriptorEnd).trim()
    pattern.lastIndex = descriptorEnd
    if (url !== '') candidates.push({ url, start, descriptor })
  }
  return candidates
}

/** The text of a `srcset`. */
export function srcsetOf(candidates: readonly Pick<Candidate, 'url' | 'descriptor'>[]): string {
  return candidates.map(({ url, descriptor }) => `${url} ${descriptor}`.trimEnd()).join(', ')
}
