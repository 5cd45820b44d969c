// Tags and authors of a Ghost export. The first public tag of a post is its category.
import { ExportTerms } from '../export-terms.ts'
import { asText, type JsonObject } from '../json-rows.ts'
import type { Ledger } from '../ledger.ts'
import type { FieldValue, ImportContext, ImportedDocument } from '../site.ts'
import { type GhostSurvey, idOf } from './survey.ts'

/** The key of the category of posts without a tag. */
const untagged = ''

/** The terms of an export. */
export class GhostTerms {
  readonly #survey: GhostSurvey
  readonly #report: Ledger
  readonly #categories: ExportTerms
  readonly #tags: ExportTerms
  readonly #authors: ExportTerms

  constructor(survey: GhostSurvey, { report, site }: Pick<ImportContext, 'report' | 'site'>) {
    this.#survey = survey
    this.#report = report
    this.#categories = new ExportTerms('categories', report)
    this.#tags = new ExportTerms('tags', report)
    this.#authors = new ExportTerms('authors', report)
    for (const [key, row] of survey.tags) {
      if (isInternal(row)) continue
      this.#categories.define({ key, ...tagOf(row) })
      this.#tags.define({ key, ...tagOf(row) })
    }
    const from = 'posts without a tag'
    this.#categories.define({
      key: untagged,
      slug: 'posts',
      name: 'Posts',
      from,
    })
    for (const [key, row] of survey.users) this.#authors.define({ key, ...authorOf(row, site) })
  }

  /** Category, tags and authors of a post. */
  ofPost(row: JsonObject, from: string): { readonly [key: string]: FieldValue } {
    const ids = this.#survey.tagsOfPost.get(idOf(row)) ?? []
    const names = ids.filter((id) => this.#isPublic(id, from))
    const [primary = untagged, ...others] = names
    if (primary === untagged)
      this.#report.add('changed', 'in the category "Posts": it has no tag', from)
    const authors = this.#survey.authorsOfPost.get(idOf(row)) ?? []
    return {
      category: this.#categories.use(primary),
      tags: list(others.map((id) => this.#tags.use(id))),
      authors: list(authors.map((id) => this.#author(id, from))),
    }
  }

  /** Every tag and author in use, and unused public tags. */
  *documents(): Generator<ImportedDocument> {
    yield* this.#categories.documents(() => false)
    const isCategory = ({ key }: { key: string }) => this.#categories.isUsed(key)
    yield* this.#tags.documents((term) => !isCategory(term))
    yield* this.#authors.documents(() => false)
  }

  #isPublic(id: string, from: string): boolean {
    if (this.#tags.has(id)) return true
    const row = this.#survey.tags.get(id)
    const text =
      row === undefined
        ? 'tag that the export does not hold'
        : 'internal tag (its name begins with #)'
    this.#report.add('left', text, `${from} (${asText(row?.['name']) ?? id})`)
    return false
  }

  #author(id: string, from: string): string | undefined {
    const slug = this.#authors.use(id)
    if (slug === undefined)
      this.#report.add('left', 'author that the export does not hold', `${from} (${id})`)
    return slug
  }
}

/** True for a tag for the theme, invisible to readers. */
function isInternal({ visibility, name }: JsonObject): boolean {
  return visibility === 'internal' || String(name).startsWith('#')
}

function tagOf(row: JsonObject) {
  const name = asText(row['name']) ?? asText(row['slug']) ?? idOf(row)
  return {
    slug: asText(row['slug']) ?? name,
    name,
    id: idOf(row),
    body: asText(row['description']),
    from: `tag ${idOf(row)} "${name}"`,
  }
}

/** Omits the email address, which is private. */
function authorOf(row: JsonObject, site = '') {
  const name = asText(row['name']) ?? asText(row['slug']) ?? idOf(row)
  const image = asText(row['profile_image']) ?? asText(row['image'])
  return {
    slug: asText(row['slug']) ?? name,
    name,
    id: idOf(row),
    fields: { image: image?.replace(/^__GHOST_URL__/, site), socials: socialsOf(row) },
    body: asText(row['bio']),
    from: `author ${idOf(row)} "${name}"`,
  }
}

function socialsOf(row: JsonObject): FieldValue {
  const pages = { website: '', facebook: 'https://www.facebook.com/', twitter: 'https://x.com/' }
  const socials = Object.entries(pages).flatMap(([platform, base]) => {
    const account = asText(row[platform])?.replace(/^@/, '')
    if (account === undefined) return []
    const url = /^https?:/.test(account) ? account : base + account
    return /^https?:/.test(url) ? [{ platform, url }] : []
  })
  return socials.length === 0 ? undefined : socials
}

function list(slugs: readonly (string | undefined)[]): FieldValue {
  const kept = slugs.filter((slug) => slug !== undefined)
  return kept.length === 0 ? undefined : kept
}
