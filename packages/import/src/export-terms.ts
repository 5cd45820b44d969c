// Authors, categories and tags of an export that identifies each by a key and states its slug.
import type { TermKind } from 'quarry/authoring'
import type { Ledger } from './ledger.ts'
import type { FieldValue, ImportedDocument, ImportedImage } from './site.ts'
import { Slugs } from './slugs.ts'

/** A term of an export. */
export interface ExportTerm {
  /** The key by which posts refer to it. */
  readonly key: string
  readonly slug: string
  readonly name: string
  readonly id?: string | undefined
  readonly fields?: { readonly [key: string]: FieldValue }
  /** The bio or the description. */
  readonly body?: string | undefined
  readonly images?: readonly ImportedImage[]
  readonly from: string
}

interface TermEntry extends ExportTerm {
  isUsed: boolean
}

/** The terms of one kind. Memory: one entry per term. */
export class ExportTerms {
  readonly #kind: TermKind
  readonly #slugs: Slugs
  readonly #terms = new Map<string, TermEntry>()

  constructor(kind: TermKind, report: Ledger) {
    this.#kind = kind
    this.#slugs = new Slugs(report)
  }

  /** Adds a term, unless its key is already defined. */
  define(term: ExportTerm): void {
    const { key, slug, from } = term
    if (this.#terms.has(key)) return
    const claimed = this.#slugs.claim({ slug, from })
    this.#terms.set(key, { ...term, slug: claimed, isUsed: false })
  }

  has(key: string): boolean {
    return this.#terms.has(key)
  }

  /** Returns the slug of a term and marks the term as used; undefined for an unknown key. */
  use(key: string): string | undefined {
    const term = this.#terms.get(key)
    if (term !== undefined) term.isUsed = true
    return term?.slug
  }

  isUsed(key: string): boolean {
    return this.#terms.get(key)?.isUsed ?? false
  }

  /**
   * Every term as a document.
   *
   * @param isKept false for unused terms to omit
   */
  *documents(isKept: (term: ExportTerm) => boolean = () => true): Generator<ImportedDocument> {
    for (const term of this.#terms.values()) {
      if (!term.isUsed && !isKept(term)) continue
      const { slug, name, id, fields = {}, body = '', images = [], from } = term
      const ownId = id === undefined ? undefined : this.#slugs.claimId(id)
      yield { kind: this.#kind, slug, fields: { id: ownId, name, ...fields }, body, images, from }
    }
  }
}
