// Gives every post of an import a valid slug of its own.
import { foldCase, identifierBytesMax, identifierProblem, slugify } from '../model/identifier.ts'
import type { ImportReport } from './report.ts'

/** The wish of a post for a slug. */
export interface SlugWish {
  /** As the source has it. */
  readonly slug: string
  /** ISO 8601; tells apart posts that share a slug. */
  readonly date?: string | undefined
  /** Location in the source, for the report. */
  readonly from: string
}

/** The slugs of one kind. Memory: one entry a slug. */
export class Slugs {
  readonly #taken = new Set<string>()
  readonly #report: ImportReport

  constructor(report: ImportReport) {
    this.#report = report
  }

  /**
   * A slug that no other call has returned: the wish itself where it is valid and free, else made from it.
   * A second post of the same slug gets its year, its date or a number, the first that is free.
   */
  claim({ slug, date, from }: SlugWish): string {
    const valid = validSlug(slug)
    if (valid !== slug)
      this.#report.add('changed', 'slug made valid', `${from} (${slug} → ${valid})`)
    for (const candidate of candidates(valid, [date?.slice(0, 4), date?.slice(0, 10)])) {
      if (!this.#take(candidate)) continue
      if (candidate !== valid)
        this.#report.add('changed', 'slug made unique', `${from} (${valid} → ${candidate})`)
      return candidate
    }
    throw new Error('The numbers ended.')
  }

  /**
   * The alias that a path or slug of the source makes: its last segment, without `.html`.
   *
   * @returns undefined when it is no valid slug, or is taken. Claim all slugs before the first alias.
   */
  claimAlias(path: string): string | undefined {
    const alias = lastSegment(path)
    return identifierProblem(alias) === null && this.#take(alias) ? alias : undefined
  }

  /** The id itself; undefined when it is no valid id, or is taken. Claim all slugs before the first id. */
  claimId(id: string): string | undefined {
    return identifierProblem(id) === null && this.#take(id) ? id : undefined
  }

  #take(slug: string): boolean {
    const key = foldCase(slug)
    if (this.#taken.has(key)) return false
    this.#taken.add(key)
    return true
  }
}

/** The last segment of a path or URL, decoded and in NFC, without `.html`. */
export function lastSegment(path: string): string {
  const [plain = ''] = path.split(/[?#]/)
  const segment =
    plain
      .replace(/\/(index\.html?)?$/, '')
      .split('/')
      .at(-1) ?? ''
  return decoded(segment.replace(/\.html?$/, '')).normalize('NFC')
}

/** The text itself when it is a valid slug, else one made from it; `post` when nothing is left. */
export function validSlug(text: string): string {
  if (identifierProblem(text) === null) return text
  const made = slugify(text)
  if (identifierProblem(made) === null) return made
  return made === '' ? 'post' : `${made}-post`
}

function* candidates(slug: string, suffixes: readonly (string | undefined)[]): Generator<string> {
  yield slug
  // Room for the longest suffix within the bytes of a slug.
  const isLong = Buffer.byteLength(slug) > identifierBytesMax - 20
  const base = isLong ? slugify(slug.slice(0, identifierBytesMax / 4 - 5)) : slug
  for (const suffix of suffixes) if (suffix !== undefined) yield `${base}-${suffix}`
  for (let number = 2; ; number++) yield `${base}-${number}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
