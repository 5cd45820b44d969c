// Collects the authors, categories and tags of an imported site: slugs, names as written, and records from the site's
// data files.

import type { TermKind } from 'quarry/authoring'
import { foldCase, identifierProblem, slugify } from 'quarry/authoring'
import type { Ledger } from './ledger.ts'
import { trimmedEnd } from './parts.ts'
import type { FieldValue, ImportedDocument, ImportedImage } from './site.ts'

/** A record of a term in the source. */
export interface TermRecord {
  readonly kind: TermKind
  /** The name by which posts refer to it. */
  readonly key: string
  readonly name: string
  /** The slug in the source. @default derived from the key */
  readonly slug?: string
  /** Additional front matter: `image`, `role`, `socials`, `id`. */
  readonly fields?: { readonly [key: string]: FieldValue }
  /** The bio or the description. */
  readonly body?: string
  readonly images?: readonly ImportedImage[]
  /** Keys of the record without a field, for the report. */
  readonly leftKeys?: readonly string[] | undefined
  readonly from: string
}

interface Term {
  readonly slug: string
  readonly record?: TermRecord
  /** Number of uses per spelling. */
  readonly spellings: Map<string, number>
  readonly from: string
}

/** The terms of a site. Memory: one entry per term and spelling. */
export class Terms {
  readonly #terms = new Map<TermKind, Map<string, Term>>()
  /** Slugs of each kind, case-folded. */
  readonly #taken = new Set<string>()

  /** Adds a record, unless its key is already defined. Call before the first `observe`. */
  define(record: TermRecord): void {
    const { kind, key, name, from } = record
    const terms = this.#of(kind)
    if (terms.has(termKey(key))) return
    const term = { slug: this.#claim(kind, record.slug ?? key), record, spellings: new Map(), from }
    terms.set(termKey(key), term)
    if (!terms.has(termKey(name))) terms.set(termKey(name), term)
  }

  /** Records that a post refers to a term by a key or a name. */
  observe(kind: TermKind, name: string, from: string): void {
    const terms = this.#of(kind)
    const key = termKey(name)
    let term = terms.get(key)
    if (term === undefined) {
      term = { slug: this.#claim(kind, name), spellings: new Map(), from }
      terms.set(key, term)
    }
    term.spellings.set(name.trim(), (term.spellings.get(name.trim()) ?? 0) + 1)
  }

  /** The slug of a defined or observed term; undefined for others. */
  slugOf(kind: TermKind, name: string): string | undefined {
    return this.#of(kind).get(termKey(name))?.slug
  }

  /**
   * Every term once, named by its record, else by its most frequent spelling; ties by code point. Authors whom no post
   * names are left out and reported.
   *
   * @param withImages finds the images of a record and gives their paths
   */
  *documents(
    report: Ledger,
    withImages: (record: TermRecord) => Pick<TermRecord, 'fields' | 'images'> = (record) => record,
  ): Generator<ImportedDocument> {
    for (const [kind, terms] of this.#terms)
      for (const term of new Set(terms.values())) {
        if (kind === 'authors' && term.spellings.size === 0)
          report.add(
            'left',
            'author of a data file whom no post names',
            `${term.from} (${term.slug})`,
          )
        else yield documentOf(kind, term, report, withImages)
      }
  }

  #of(kind: TermKind): Map<string, Term> {
    const terms = this.#terms.get(kind) ?? new Map<string, Term>()
    this.#terms.set(kind, terms)
    return terms
  }

  #claim(kind: TermKind, wish: string): string {
    const base = termSlug(wish)
    for (let number = 1; ; number++) {
      const slug = number === 1 ? base : `${base}-${number}`
      const key = `${kind} ${foldCase(slug)}`
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      return slug
    }
  }
}

function documentOf(
  kind: TermKind,
  { slug, record, spellings, from }: Term,
  report: Ledger,
  withImages: (record: TermRecord) => Pick<TermRecord, 'fields' | 'images'>,
): ImportedDocument {
  for (const key of record?.leftKeys ?? [])
    report.add('left', `\`${key}\` of an author`, `${from} (${slug})`)
  const { fields = {}, images = [] } = record === undefined ? {} : withImages(record)
  const name = record?.name ?? mostFrequent(spellings) ?? slug
  return { kind, slug, fields: { name, ...fields }, body: record?.body ?? '', images, from }
}

/** Spellings with the same key are one term: case, white space and punctuation except `+` and `#` are ignored. */
function termKey(name: string): string {
  const words = name.normalize('NFKC').toLowerCase().normalize('NFC')
  const key = words.replace(/['’]/gu, '').replace(/[^\p{L}\p{M}\p{Nd}+#]+/gu, '-')
  return trimmedEnd(key.replace(/^[-#]+/u, ''), '-') || words.trim()
}

/** `C++` is `c-plus-plus` and `C#` is `c-sharp`: neither is `c`. */
function termSlug(name: string): string {
  const slug = slugify(termKey(name).replaceAll('+', ' plus ').replaceAll('#', ' sharp '))
  return identifierProblem(slug) === null ? slug : trimmedEnd(`term-${slug}`, '-')
}

function mostFrequent(spellings: ReadonlyMap<string, number>): string | undefined {
  const sorted = [...spellings].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return sorted[0]?.[0]
}
