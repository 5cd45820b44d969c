// The first pass over a Ghost export: everything that posts refer to, and their slugs. Bodies are not stored.
import { createReadStream } from 'node:fs'
import { UseError } from 'quarry/authoring'
import {
  asObject,
  asText,
  type Json,
  type JsonObject,
  type JsonRow,
  jsonRows,
} from '../json-rows.ts'
import type { ImportContext } from '../site.ts'

/** A Ghost export without the bodies of its posts. Memory: one entry per row of these tables. */
export interface GhostSurvey {
  readonly title: string | undefined
  readonly tags: ReadonlyMap<string, JsonObject>
  readonly users: ReadonlyMap<string, JsonObject>
  /** Ids of tags and of authors by post id, in order. */
  readonly tagsOfPost: ReadonlyMap<string, readonly string[]>
  readonly authorsOfPost: ReadonlyMap<string, readonly string[]>
  readonly metaOfPost: ReadonlyMap<string, JsonObject>
  /** Slugs of imported posts in export order, because ids may be damaged; and by the slug in the export. */
  readonly slugs: readonly string[]
  readonly slugOfSlug: ReadonlyMap<string, string>
}

/** Iterates over the rows of all tables of an export. */
export function exportRows(file: string): AsyncGenerator<JsonRow> {
  const chunks = createReadStream(file, { highWaterMark: 64 * 1024 })
  return jsonRows(chunks, ['$.db.*.data.*.*', '$.data.*.*'], file)
}

/** Reads an export. @throws UseError when it has no posts */
export async function surveyExport({ source, slugs, report }: ImportContext): Promise<GhostSurvey> {
  const survey = new Survey()
  let posts = 0
  for await (const { list, value } of exportRows(source)) {
    const row = asObject(value)
    if (row === undefined) continue
    if (list !== 'posts') survey.add(list, row)
    else {
      posts += 1
      report.find(placeOf(row))
      if (!isPage(row)) survey.addPost(row, slugs)
    }
  }
  if (posts === 0)
    throw new UseError(`${source} has no posts of a Ghost export (db[0].data.posts).`)
  return survey.sorted()
}

/** True for a page. Ghost before 3.0 marks pages by another column. */
export function isPage({ type, page }: JsonObject): boolean {
  return type === 'page' || page === true || page === 1
}

/** The id of a row. */
export function idOf({ id }: JsonObject): string {
  return asText(id) ?? ''
}

/** The location of a post, for the report. */
export function placeOf(row: JsonObject): string {
  return `post ${idOf(row)} "${asText(row['title']) ?? asText(row['slug']) ?? ''}"`
}

interface Ordered {
  readonly id: string
  readonly order: number
}

class Survey {
  #title: string | undefined
  readonly #tags = new Map<string, JsonObject>()
  readonly #users = new Map<string, JsonObject>()
  readonly #tagsOfPost = new Map<string, Ordered[]>()
  readonly #authorsOfPost = new Map<string, Ordered[]>()
  readonly #metaOfPost = new Map<string, JsonObject>()
  readonly #slugs: string[] = []
  readonly #slugOfSlug = new Map<string, string>()

  add(table: string, row: JsonObject): void {
    if (table === 'tags') this.#tags.set(idOf(row), row)
    else if (table === 'users') this.#users.set(idOf(row), row)
    else if (table === 'posts_tags') link(this.#tagsOfPost, row, row['tag_id'])
    else if (table === 'posts_authors') link(this.#authorsOfPost, row, row['author_id'])
    else if (table === 'posts_meta') this.#metaOfPost.set(asText(row['post_id']) ?? '', row)
    else if (table === 'settings' && row['key'] === 'title') this.#title = asText(row['value'])
  }

  addPost(row: JsonObject, slugs: ImportContext['slugs']): void {
    const wish = asText(row['slug']) ?? asText(row['title']) ?? idOf(row)
    const slug = slugs.claim({ slug: wish, from: placeOf(row) })
    this.#slugs.push(slug)
    this.#slugOfSlug.set(wish, slug)
    const author = asText(row['author_id'])
    // Ghost before 1.22 has one author per post, in a column.
    if (author !== undefined)
      link(this.#authorsOfPost, { post_id: idOf(row), sort_order: 1e9 }, author)
  }

  sorted(): GhostSurvey {
    return {
      title: this.#title,
      tags: this.#tags,
      users: this.#users,
      tagsOfPost: inOrder(this.#tagsOfPost),
      authorsOfPost: inOrder(this.#authorsOfPost),
      metaOfPost: this.#metaOfPost,
      slugs: this.#slugs,
      slugOfSlug: this.#slugOfSlug,
    }
  }
}

function link(links: Map<string, Ordered[]>, row: JsonObject, id: Json): void {
  const post = asText(row['post_id']) ?? ''
  const order = Number(row['sort_order'] ?? 0)
  const list = links.get(post) ?? []
  list.push({ id: asText(id) ?? '', order })
  links.set(post, list)
}

function inOrder(links: ReadonlyMap<string, Ordered[]>): Map<string, readonly string[]> {
  return new Map(
    Array.from(links, ([post, list]) => {
      const ids = list.sort((a, b) => a.order - b.order).map(({ id }) => id)
      return [post, [...new Set(ids)]] as const
    }),
  )
}
