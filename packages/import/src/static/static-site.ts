// Imports a site of files in two passes over every post: front matter for slugs, names and URLs, then bodies. Bodies
// are not retained.

import { UseError } from 'quarry/authoring'
import { FieldTypes } from '../field-types.ts'
import { replaceParts } from '../parts.ts'
import type {
  FieldValue,
  ImportContext,
  ImportedDocument,
  ImportedSettings,
  ImportedSite,
  Importer,
} from '../site.ts'
import { Terms } from '../terms.ts'
import { defineIn } from './data-terms.ts'
import { SiteDestinations } from './destinations.ts'
import { isMap, readSource, textAt, type Values } from './front.ts'
import type { PostFile, PostHead, SiteGenerator, StaticSite } from './generator.ts'
import { customValues, fieldsOf, redirectsOf } from './post-fields.ts'
import { readHead } from './post-head.ts'
import { readTerms } from './post-terms.ts'
import { SourceTree } from './source-tree.ts'
import { translateBody } from './translate-body.ts'

/** Creates the importer for a generator. */
export function staticImporter(generator: SiteGenerator): Importer {
  return (context) => {
    const tree = new SourceTree(context.source, context.report)
    const site = generator(tree, context)
    const reading = new StaticReading(tree, site, context)
    const posts = site.posts.flatMap((file) => reading.survey(file))
    if (posts.length === 0) {
      throw new UseError(
        `No posts were found below ${context.source}. Name their folder with --posts, such as --posts content/blog.`,
      )
    }
    return {
      documents: reading.documents(posts),
      settings: () => reading.settings(),
    } satisfies ImportedSite
  }
}

/** The category of posts without one. */
const defaultCategory = { slug: 'posts', name: 'Posts' }

/** A post after the first pass: enough to read it again. */
interface SurveyedPost {
  readonly file: PostFile
  readonly slug: string
}

class StaticReading {
  readonly #tree: SourceTree
  readonly #site: StaticSite
  readonly #context: ImportContext
  readonly #terms = new Terms()
  readonly #types = new FieldTypes()
  readonly #destinations: SiteDestinations
  #hasUncategorised = false

  constructor(tree: SourceTree, site: StaticSite, context: ImportContext) {
    this.#tree = tree
    this.#site = site
    this.#context = context
    this.#destinations = new SiteDestinations(tree, site, context.report)
    site.define?.(defineIn(this.#terms))
  }

  /** The first pass over a post: empty when it is no post, or is unreadable. */
  survey(file: PostFile): readonly SurveyedPost[] {
    const { report, slugs } = this.#context
    const source = readSource(this.#tree, file.path, report)
    if (source === undefined) return []
    const head = readHead(file, source, this.#site)
    if (head === 'no date') {
      report.add('left', 'page without a date: no post', file.path)
      return []
    }
    const slug = slugs.claim({
      slug: this.#site.slug?.(head) ?? head.slug,
      date: head.date,
      from: file.path,
    })
    this.#noteTerms(head)
    for (const [name, value] of customValues(head, this.#site, this.#terms))
      this.#types.observe(name, value)
    const target = {
      path: file.path,
      address: this.#site.address(head),
      file: `${slug}.md`,
    }
    this.#destinations.addPost(target)
    return [{ file, slug }]
  }

  /** The second pass: every term, then every post. */
  *documents(posts: readonly SurveyedPost[]): Generator<ImportedDocument> {
    if (this.#hasUncategorised) {
      const { slug: key, name } = defaultCategory
      this.#terms.define({ kind: 'categories', key, name, from: 'posts without a category' })
    }
    yield* this.#terms.documents()
    for (const post of posts) {
      const document = this.#document(post)
      if (document !== undefined) yield document
    }
  }

  settings(): ImportedSettings {
    return {
      name: this.#site.name,
      defaultCategory: this.#hasUncategorised
        ? this.#terms.slugOf('categories', defaultCategory.slug)
        : undefined,
      postLink: this.#site.postLink,
      fields: this.#types.types,
    }
  }

  #noteTerms(head: PostHead): void {
    const { path } = head.file
    const { byline, category, tags } = readTerms(head, this.#site, this.#terms)
    for (const { name, fields } of byline.authors) {
      const { bio, ...rest } = fields
      const isNew = this.#terms.slugOf('authors', name) === undefined
      if (isNew && Object.values(rest).some((value) => value !== undefined))
        this.#terms.define({
          kind: 'authors',
          key: name,
          name,
          fields: rest,
          body: String(bio ?? ''),
          from: path,
        })
      this.#terms.observe('authors', name, path)
    }
    if (category === undefined) {
      this.#hasUncategorised = true
      const text = `post without a category: it is in "${defaultCategory.name}", the default of workspace.yml`
      this.#context.report.add('changed', text, path)
    } else this.#terms.observe('categories', category, path)
    for (const tag of tags) this.#terms.observe('tags', tag, path)
  }

  #document({ file, slug }: SurveyedPost): ImportedDocument | undefined {
    const { report, keepUnknown } = this.#context
    const source = readSource(this.#tree, file.path, report)
    const head = source === undefined ? 'no date' : readHead(file, source, this.#site)
    // The file changed between the passes.
    if (source === undefined || head === 'no date') return undefined
    const destinations = this.#destinations.of(file.path)
    let isWhole = true
    const body = translateBody(
      source.body,
      this.#site,
      {
        head,
        bodyLine: source.bodyLine,
        keepUnknown,
        unknown: (message, place) => {
          report.add(keepUnknown ? 'left' : 'failed', message, `${file.path}:${place}`)
          isWhole = keepUnknown
        },
        changed: (text) => report.add('changed', text, file.path),
        addressOf: (path) => this.#destinations.addressOf(path),
      },
      destinations,
    )
    if (!isWhole) return undefined
    if (isBlank(body) && !isBlank(source.body)) {
      report.add('failed', 'nothing of the body is left', file.path)
      return undefined
    }
    const context = {
      site: this.#site,
      terms: this.#terms,
      types: this.#types,
      destinations,
      report,
    }
    const stated: Values = { id: this.#idOf(head, slug), ...fieldsOf(head, context) }
    const isEmpty =
      isBlank(source.body) && stated['status'] !== 'draft' && !showsWithoutText(stated)
    if (isEmpty) report.add('changed', 'post without a text → draft', file.path)
    const fields = isEmpty ? { ...stated, status: 'draft' } : stated
    const images = destinations.images(this.#tree)
    const redirects = redirectsOf(head.values)
    return { kind: 'posts', slug, fields, body, images, redirects, from: file.path }
  }

  #idOf({ values, file }: PostHead, slug: string): string | undefined {
    const stated = textAt(values, 'id')
    if (stated === undefined || stated === slug) return undefined
    const id = this.#context.slugs.claimId(stated)
    if (id === undefined)
      this.#context.report.add('left', 'id that is taken or not valid', file.path)
    return id
  }
}

/** True for a text without visible content. */
function isBlank(body: string): boolean {
  const plain = replaceParts(
    body,
    /<!--/g,
    () => '-->',
    () => '',
  )
  return plain.trim() === ''
}

/** True for a post whose front matter has content: a description, an image or a URL. */
function showsWithoutText({ description, coverImage, fields }: Values): boolean {
  const isUrl = (value: FieldValue) => typeof value === 'string' && /^https?:/.test(value)
  const custom = isMap(fields) ? Object.values(fields) : []
  return description !== undefined || coverImage !== undefined || custom.some(isUrl)
}
