// Categories, tags and authors of a WordPress export. The first category of a post is its category; the others become
// tags.
import { ExportTerms } from '../export-terms.ts'
import type { FieldValue, ImportContext, ImportedDocument } from '../site.ts'
import { plainText } from './plain-text.ts'
import type { WxrRecord, WxrTerm } from './read-wxr.ts'
import { decoded, type WxrSurvey } from './survey.ts'

/** The terms of an export. */
export class WxrTerms {
  readonly #report: ImportContext['report']
  readonly #categories: ExportTerms
  readonly #tags: ExportTerms
  readonly #authors: ExportTerms

  constructor(survey: WxrSurvey, report: ImportContext['report']) {
    this.#report = report
    this.#categories = new ExportTerms('categories', report)
    this.#tags = new ExportTerms('tags', report)
    this.#authors = new ExportTerms('authors', report)
    for (const record of survey.categories)
      this.#categories.define(termOf(record, 'wp:category_nicename', 'wp:cat_name'))
    for (const record of survey.tags)
      this.#tags.define(termOf(record, 'wp:tag_slug', 'wp:tag_name'))
    for (const record of survey.authors) this.#authors.define(authorOf(record))
  }

  /** Category, tags and authors of a post. */
  ofPost({ terms, texts }: WxrRecord, from: string): { readonly [key: string]: FieldValue } {
    const [first, ...others] = terms.filter(({ domain }) => domain === 'category')
    const category = first ?? { domain: 'category', slug: 'uncategorized', name: 'Uncategorized' }
    if (first === undefined)
      this.#report.add('changed', 'in the category "uncategorized": it has none', from)
    if (others.length > 0)
      this.#report.add(
        'changed',
        'category made a tag: a post has one category',
        from,
        others.length,
      )
    const tagged = [...others, ...terms.filter(({ domain }) => domain === 'post_tag')]
    const tags = new Set(tagged.map((term) => use(this.#tags, term, from)))
    this.#reportOthers(terms, from)
    const login = texts.get('dc:creator')?.trim() ?? ''
    return {
      category: use(this.#categories, category, from),
      tags: tags.size === 0 ? undefined : [...tags],
      authors: login === '' ? undefined : [this.#author(login, from)],
    }
  }

  /** Every term in use, and every category and tag of the export. */
  *documents(): Generator<ImportedDocument> {
    yield* this.#categories.documents()
    yield* this.#tags.documents()
    yield* this.#authors.documents(() => false)
  }

  #author(login: string, from: string): string {
    if (!this.#authors.has(login))
      this.#authors.define({ key: login, slug: login, name: login, from })
    return this.#authors.use(login) ?? login
  }

  #reportOthers(terms: readonly WxrTerm[], from: string): void {
    for (const { domain } of terms)
      if (domain !== 'category' && domain !== 'post_tag')
        this.#report.add('left', `term of the taxonomy "${domain}"`, from)
  }
}

/** A term that occurs only in posts is defined by the first of them. */
function use(terms: ExportTerms, { slug, name }: WxrTerm, from: string): string {
  const key = slug || name
  if (!terms.has(key)) terms.define({ key, slug: decoded(key), name: plainText(name) || key, from })
  return terms.use(key) ?? key
}

function termOf({ texts, line }: WxrRecord, slugName: string, nameName: string) {
  const key = texts.get(slugName)?.trim() ?? ''
  const name = plainText(texts.get(nameName) ?? '') || key
  const body = texts.get('wp:category_description') ?? texts.get('wp:tag_description')
  return {
    key,
    slug: decoded(key) || name,
    name,
    id: texts.get('wp:term_id')?.trim(),
    body: plainText(body ?? ''),
    from: `line ${line} "${name}"`,
  }
}

/** Omits the email address, which is private. */
function authorOf({ texts, line }: WxrRecord) {
  const key = texts.get('wp:author_login')?.trim() ?? ''
  const name = plainText(texts.get('wp:author_display_name') ?? '') || key
  return {
    key,
    slug: key,
    name,
    id: texts.get('wp:author_id')?.trim(),
    from: `line ${line} "${name}"`,
  }
}
