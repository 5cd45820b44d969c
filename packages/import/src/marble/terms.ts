// Categories, tags and authors of a Marble export.
import type { TermKind } from 'quarry/authoring'
import { ExportTerms } from '../export-terms.ts'
import { asObject, asObjects, asText, type Json, type JsonObject } from '../json-rows.ts'
import type { Ledger } from '../ledger.ts'
import type { FieldValue, ImportedDocument } from '../site.ts'

/** The terms of an export. */
export class MarbleTerms {
  readonly #terms: Readonly<Record<TermKind, ExportTerms>>

  constructor(report: Ledger) {
    this.#terms = {
      categories: new ExportTerms('categories', report),
      tags: new ExportTerms('tags', report),
      authors: new ExportTerms('authors', report),
    }
  }

  /** Adds a row of a kind's file, unless its id is already defined. */
  define(kind: TermKind, row: JsonObject): void {
    const id = asText(row['id'])
    const name = asText(row['name']) ?? asText(row['slug']) ?? ''
    const slug = asText(row['slug']) ?? name
    this.#terms[kind].define({
      key: id ?? slug,
      slug,
      name,
      id,
      fields: kind === 'authors' ? authorFields(row) : {},
      body: asText(row['bio']) ?? asText(row['description']),
      from: `${kind} ${id ?? ''} "${name}"`,
    })
  }

  /** Category, tags and authors of a post. */
  ofPost(row: JsonObject, from: string): { readonly [key: string]: FieldValue } {
    const category = asObject(row['category']) ?? { slug: 'posts', name: 'Posts' }
    return {
      category: this.#use('categories', category, from),
      tags: this.#list('tags', row['tags'], from),
      authors: this.#list('authors', row['authors'], from),
    }
  }

  /** Every term as a document. */
  *documents(): Generator<ImportedDocument> {
    for (const terms of Object.values(this.#terms)) yield* terms.documents()
  }

  #list(kind: TermKind, value: Json, from: string): FieldValue {
    const slugs = asObjects(value).map((row) => this.#use(kind, row, from))
    return slugs.length === 0 ? undefined : slugs
  }

  /** Posts contain each of their terms completely, so a term that the kind's file lacks is defined from the post. */
  #use(kind: TermKind, row: JsonObject, from: string): string | undefined {
    const key = asText(row['id']) ?? asText(row['slug']) ?? from
    if (!this.#terms[kind].has(key)) this.define(kind, row)
    return this.#terms[kind].use(key)
  }
}

function authorFields(row: JsonObject): { readonly [key: string]: FieldValue } {
  const socials = asObjects(row['socials']).flatMap((social) => {
    const [platform, url] = [asText(social['platform']), asText(social['url'])]
    return platform !== undefined && url !== undefined && /^https?:/.test(url)
      ? [{ platform, url }]
      : []
  })
  return {
    image: asText(row['image']),
    role: asText(row['role']),
    socials: socials.length === 0 ? undefined : socials,
  }
}
