// The authors, categories and tags of an imported site: slugs, names as written, and records of data files or an export.
import type { TermKind } from 'quarry/authoring'
import { foldCase, identifierBytesMax, identifierProblem, slugify } from 'quarry/authoring'
import type { Ledger } from './ledger.ts'
import { decoded, remembered, trimmedEnd } from './parts.ts'
import type { FieldValue, ImportedDocument, ImportedImage } from './site.ts'

export interface TermRecord {
  readonly kind: TermKind
  /** The name by which posts refer to it. */
  readonly key: string
  readonly name: string
  /** The slug in the source. @default derived from the key */
  readonly slug?: string
  readonly id?: string | undefined
  /** Additional front matter: `image`, `role`, `socials`. */
  readonly fields?: { readonly [key: string]: FieldValue }
  readonly body?: string | undefined
  readonly images?: readonly ImportedImage[]
  readonly leftKeys?: readonly string[] | undefined
  readonly from: string
}

interface Term {
  readonly slug: string
  readonly record?: TermRecord
  readonly spellings: Map<string, number>
  readonly from: string
}

interface TermWriting {
  /** Returns false to leave out a term that no post names. @default leaves out authors */
  isKept?(kind: TermKind, key: string): boolean
  withImages?(record: TermRecord): Pick<TermRecord, 'fields' | 'images'>
}

const owners = { authors: 'an author', tags: 'a tag', categories: 'a category' }

/** The terms of a site. Memory: one entry per term and spelling. */
export class Terms {
  readonly #of: (kind: string) => Map<string, Term> = remembered(() => new Map<string, Term>())
  readonly #slugs: (kind: string) => Slugs = remembered(() => new Slugs(this.#report))
  readonly #report: Ledger
  readonly #hasKeys: boolean

  /** @param hasKeys true for an export, whose keys are ids; false for a site, whose keys are names in any spelling */
  constructor(report: Ledger, hasKeys = false) {
    this.#report = report
    this.#hasKeys = hasKeys
  }

  /** Adds a record, unless its key is already defined. Call before the first use. */
  define(record: TermRecord): void {
    const { kind, key, name, from, slug = termSlug(key) } = record
    if (this.slugOf(kind, key) !== undefined) return
    const claimed = this.#slugs(kind).claim({ slug, from })
    const term = { slug: claimed, record, spellings: new Map(), from }
    this.#of(kind).set(this.#keyOf(key), term)
    if (!this.#hasKeys && this.slugOf(kind, name) === undefined)
      this.#of(kind).set(this.#keyOf(name), term)
  }

  /** Records that a post refers to a term by a key or a name, and returns its slug. */
  use(kind: TermKind, name: string, from: string): string {
    const key = this.#keyOf(name)
    const slug = () => this.#slugs(kind).claim({ slug: termSlug(name), from })
    const term = this.#of(kind).get(key) ?? { slug: slug(), spellings: new Map(), from }
    this.#of(kind).set(key, term)
    term.spellings.set(name.trim(), (term.spellings.get(name.trim()) ?? 0) + 1)
    return term.slug
  }

  slugOf(kind: TermKind, name: string): string | undefined {
    return this.#of(kind).get(this.#keyOf(name))?.slug
  }

  isUsed(kind: TermKind, name: string): boolean {
    return (this.#of(kind).get(this.#keyOf(name))?.spellings.size ?? 0) > 0
  }

  /** Yields every term once, named by its record, else by its most frequent spelling; ties by code point. */
  *documents({
    isKept = (kind) => kind !== 'authors',
    withImages = (record) => record,
  }: TermWriting = {}): Generator<ImportedDocument> {
    for (const kind of Object.keys(owners) as TermKind[])
      for (const term of new Set(this.#of(kind).values())) {
        const isUsed = term.spellings.size > 0
        if (isUsed || isKept(kind, term.record?.key ?? ''))
          yield this.#document(kind, term, withImages)
        else if (kind === 'authors')
          this.#report.add('left', 'author not used by any post', `${term.from} (${term.slug})`)
      }
  }

  #document(
    kind: TermKind,
    { slug, record, spellings, from }: Term,
    withImages: NonNullable<TermWriting['withImages']>,
  ): ImportedDocument {
    for (const key of record?.leftKeys ?? [])
      this.#report.add('left', `\`${key}\` of ${owners[kind]}`, `${from} (${slug})`)
    const { fields = {}, images = [] } = record === undefined ? {} : withImages(record)
    const id = record?.id === undefined ? undefined : this.#slugs(kind).claimId(record.id)
    const sorted = [...spellings].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    const name = record?.name ?? sorted[0]?.[0] ?? slug
    return { kind, slug, fields: { id, name, ...fields }, body: record?.body ?? '', images, from }
  }

  #keyOf(name: string): string {
    return this.#hasKeys ? name : termKey(name)
  }
}

/** Returns the key that all spellings of a term share: case, white space and punctuation except `+` and `#` are ignored. */
function termKey(name: string): string {
  const words = name.normalize('NFKC').toLowerCase().normalize('NFC')
  const key = words.replace(/['’]/gu, '').replace(/[^\p{L}\p{M}\p{Nd}+#]+/gu, '-')
  return trimmedEnd(key.replace(/^[-#]+/u, ''), '-') || words.trim()
}

/** Returns the slug of a term: `c-plus-plus` for `C++`, and `c-sharp` for `C#`. */
function termSlug(name: string): string {
  const slug = slugify(termKey(name).replaceAll('+', ' plus ').replaceAll('#', ' sharp '))
  return identifierProblem(slug) === null ? slug : trimmedEnd(`term-${slug}`, '-')
}

/** The slugs of one kind. Memory: one entry per slug. */
export class Slugs {
  readonly #taken = new Set<string>()
  readonly #report: Ledger

  constructor(report: Ledger) {
    this.#report = report
  }

  /**
   * Returns a slug that no other call has returned: the requested slug if it is valid and free, else a slug derived from
   * it. A second post with the same slug gets its year, its date or a number as suffix, the first that is free.
   */
  claim({ slug, date, from }: { slug: string; date?: string | undefined; from: string }): string {
    const valid = validSlug(slug)
    if (valid !== slug)
      this.#report.add('changed', 'slug made valid', `${from} (${slug} → ${valid})`)
    // Leaves room for the longest suffix within the maximum length.
    const isLong = Buffer.byteLength(valid) > identifierBytesMax - 20
    const base = isLong ? slugify(valid.slice(0, identifierBytesMax / 4 - 5)) : valid
    const dates = date === undefined ? [] : [date.slice(0, 4), date.slice(0, 10)]
    let unique = valid
    for (let count = 0; !this.#take(unique); count++)
      unique = `${base}-${dates[count] ?? count - dates.length + 2}`
    if (unique !== valid)
      this.#report.add('changed', 'slug made unique', `${from} (${valid} → ${unique})`)
    return unique
  }

  /** Claims an id or an alias; undefined when it is invalid or taken. Claim all slugs before the first id. */
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

/** Returns the last segment of a path or URL, decoded and in NFC, without `.html`. */
export function lastSegment(path: string): string {
  const [plain = ''] = path.split(/[?#]/)
  const names = plain.replace(/\/(index\.html?)?$/, '').split('/')
  return decoded((names.at(-1) ?? '').replace(/\.html?$/, ''))
}

/** Returns the text if it is a valid slug, else a slug derived from it; `post` when nothing remains. */
export function validSlug(text: string): string {
  if (identifierProblem(text) === null) return text
  const made = slugify(text)
  if (identifierProblem(made) === null) return made
  return made === '' ? 'post' : `${made}-post`
}
