// Rule: the front matter of a Markdown file, parsed and checked independently of other files.
import type { CacheRecord } from '../../cache/cache-record.ts'
import { encodeFrontMatter } from '../../content/front-matter-record.ts'
import { type SplitDocument, sourceOf } from '../../content/split-document.ts'
import type { Diagnostic } from '../../diagnostics.ts'
import type { Parts, Rule, StoredRule } from '../../memo/memo.ts'
import type { Mappings } from '../../model/front-matter-mapping.ts'

/** Front matter by its identity. */
export interface FrontMatterInput {
  /** As in `SplitFile`. */
  readonly head: string
  /** Posts have another schema, and may be drafts. */
  readonly isPost: boolean
  readonly mappings: Mappings
}

/** Parsed front matter; its positions are in the record, for `PlacesDecoder`. */
export interface FrontMatterValue {
  /** True when it was parsed. */
  readonly isSound: boolean
  /** True for a draft without problems, which is not processed further. */
  readonly isSoundDraft: boolean
  /** True for a post without a title: its first heading becomes the title. */
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

/** Loads or parses front matter. */
export const frontMatter: Rule<
  FrontMatterInput & { readonly split: SplitDocument },
  FrontMatterValue
> = { ...stored, run: parse }

/** The same rule without the source text, for look-ups only. */
export const storedFrontMatter: typeof stored = stored

/** The outline in a record. */
export function outlineOf({ record }: FrontMatterValue): FrontMatterOutline {
  return JSON.parse(record.text('outline'))
}

/** Loads its packages with the first front matter that is not stored. */
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
