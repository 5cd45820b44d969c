// Rule: the library of a site, which depends on all front matter and on no body.
import type { Parts, StoredRule } from '../../memo/memo.ts'
import type { FrontMatterMapping, KindMappings } from '../../model/front-matter-mapping.ts'
import type { Library } from '../../model/library.ts'
import { decodeLibrary, encodeLibrary } from '../../model/library-record.ts'
import type { LinkInput } from '../../model/link-settings.ts'
import { isWithin, type Period } from './period.ts'

/** The inputs of a library besides the content. */
export interface LibrarySettings extends LinkInput {
  readonly frontMatter: FrontMatterMapping | KindMappings
  /** Includes drafts, for previews. @default false */
  readonly drafts?: boolean | undefined
}

/** Everything that a library depends on, except the moment. */
export interface LibraryInput {
  /** Identifies the content without bodies: `Documents.fingerprint`. */
  readonly content: string
  readonly settings: LibrarySettings
}

/** A library of an earlier build. */
export interface StoredLibrary {
  /** Reports whether the same posts are scheduled at `now` (milliseconds since 1970) as at that build. */
  isTrueAt(now: number): boolean
  /**
   * Decodes the library without checking it. Cost: O(posts). @param bodyHashOf returns the hash of a body by the path
   * of its file
   */
  load(bodyHashOf: (file: string) => string): Library
}

export const library: StoredRule<LibraryInput, StoredLibrary> = {
  name: 'library',
  keyOf: ({ content, settings: { frontMatter, baseUrl, links, drafts } }) =>
    JSON.stringify([content, frontMatter, baseUrl, links, drafts === true]),
  valueOf: (record) => {
    const period: Period = JSON.parse(record.text('period'))
    return {
      isTrueAt: (now) => isWithin(now, period),
      load: (bodyHashOf) => ({
        workspaces: decodeLibrary(record.text('workspaces'), bodyHashOf),
        diagnostics: JSON.parse(record.text('diagnostics')),
      }),
    }
  },
}

/** The stored parts of a library without errors. @param now the moment for which it was built */
export function libraryParts(made: Library, now: number): Parts {
  const texts = {
    period: JSON.stringify(periodOf(made, now)),
    diagnostics: JSON.stringify(made.diagnostics),
    workspaces: encodeLibrary(made),
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const),
  )
}

/** The period in which the same posts are scheduled. */
function periodOf({ workspaces }: Library, now: number): Period {
  let [from, until] = [-Infinity, Infinity]
  for (const { publishedAt } of workspaces.flatMap(({ posts }) => posts)) {
    if (publishedAt <= now) from = Math.max(from, publishedAt)
    else until = Math.min(until, publishedAt)
  }
  const momentOf = (time: number) => (Number.isFinite(time) ? time : null)
  return { validFrom: momentOf(from), validUntil: momentOf(until) }
}
