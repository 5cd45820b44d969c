// Rule: the front matter of a Markdown file, parsed and checked by itself, whatever is around it.
import type { CacheRecord } from '../../cache/cache-record.ts'
import { encodeFrontMatter } from '../../content/front-matter-record.ts'
import { type SplitDocument, sourceOf } from '../../content/split-document.ts'
import type { Diagnostic } from '../../diagnostics.ts'
import type { Parts, Rule, StoredRule } from '../../memo/memo.ts'
import type { Mappings } from '../../model/front-matter-mapping.ts'

/** Front matter by what represents it. */
export interface FrontMatterInput {
  /** As in `SplitFile`. */
  readonly head: string
  /** Posts have another schema, and may be drafts. */
  readonly isPost: boolean
  readonly mappings: Mappings
}

/** Parsed front matter: its places are in the record, for `PlacesDecoder`. */
export interface FrontMatterValue {
  /** It could be parsed. */
  readonly isSound: boolean
  /** A draft that nothing is wrong with goes no further. */
  readonly isSoundDraft: boolean
  /** A post without a title: its first heading is the title. */
  readonly needsHeading: boolean
  readonly record: CacheRecord
}

/** The data of the front matter. */
export interface FrontMatterOutline {
  /** `PostSummary` of a post. */
  readonly summary?: unknown
  /** Diagnostics without a file. */
  readonly diagnostics: readonly Diagnostic[]
}

const stored: StoredRule<FrontMatterInput, FrontMatterValue> = {
  name: 'front matter',
  keyOf: ({ head, isPost, mappings }) =>
    `${isPost ? 'post' : 'term'} ${head} ${isPost ? JSON.stringify(mappings) : ''}`,
  valueOf: (record) => ({
    isSound: record.has('places'),
    isSoundDraft: record.has('draft'),
    needsHeading: record.has('needsHeading'),
    record,
  }),
}

/** Finds what was parsed before, and parses what was not. */
export const frontMatter: Rule<
  FrontMatterInput & { readonly split: SplitDocument },
  FrontMatterValue
> = { ...stored, run: parse }

/** The same without the text: to find alone. */
export const storedFrontMatter: typeof stored = stored

/** The outline of a record. */
export function outlineOf({ record }: FrontMatterValue): FrontMatterOutline {
  return JSON.parse(record.text('outline'))
}

/** Its packages are loaded with the first front matter that is not stored. */
async function parse({
  isPost,
  mappings,
  split,
}: FrontMatterInput & { readonly split: SplitDocument }): Promise<Parts> {
  const { readFrontMatter } = await import('../../content/front-matter.ts')
  const { isSoundDraft, summarisePost } = await import('../../model/post-summary.ts')
  const { value, diagnostics } = readFrontMatter('', split.head)
  if (value === undefined) return outlineParts({ diagnostics })
  const document = { source: sourceOf(split), frontMatter: value }
  const places = Buffer.from(encodeFrontMatter(document))
  if (!isPost) return { ...outlineParts({ diagnostics }), places }
  const summary = summarisePost(document, mappings)
  return {
    ...outlineParts({ diagnostics, summary }),
    places,
    ...(isSoundDraft(summary) ? { draft: flag } : {}),
    ...(summary.needsHeading ? { needsHeading: flag } : {}),
  }
}

const flag = Buffer.of(1)

function outlineParts(outline: FrontMatterOutline): Parts {
  return { outline: Buffer.from(JSON.stringify(outline)) }
}
