// Rule: the library of a site, made of all front matter and of no body.
import type { Parts, StoredRule } from '../../memo/memo.ts'
import type { FrontMatterMapping, KindMappings } from '../../model/front-matter-mapping.ts'
import type { Library } from '../../model/library.ts'
import { decodeLibrary, encodeLibrary } from '../../model/library-record.ts'
import type { LinkInput } from '../../model/link-settings.ts'
import { isWithin, type Period } from './period.ts'

/** The input of a library next to the content. */
export interface LibrarySettings extends LinkInput {
  readonly frontMatter: FrontMatterMapping | KindMappings
  /** Drafts are made ready too, for those who may see them. @default false */
  readonly drafts?: boolean | undefined
}

/** All that a library is made of, but for the moment. */
export interface LibraryInput {
  /** Represents the content without bodies: `Documents.fingerprint`. */
  readonly content: string
  readonly settings: LibrarySettings
}

/** A library of an earlier build. */
export interface StoredLibrary {
  /** Whether the same posts were scheduled then as are at a moment, in milliseconds since 1970. */
  isTrueAt(now: number): boolean
  /** Cost: O(posts); nothing is checked. @param bodyHashOf the hash of a body by the path of its file */
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

/** The stored parts of a library without errors. @param now the moment that it was made for */
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

/** Between which the same posts are scheduled. */
function periodOf({ workspaces }: Library, now: number): Period {
  let [from, until] = [-Infinity, Infinity]
  for (const { publishedAt } of workspaces.flatMap(({ posts }) => posts)) {
    if (publishedAt <= now) from = Math.max(from, publishedAt)
    else until = Math.min(until, publishedAt)
  }
  const momentOf = (time: number) => (Number.isFinite(time) ? time : null)
  return { validFrom: momentOf(from), validUntil: momentOf(until) }
}
