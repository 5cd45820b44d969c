// Imports a site of files in two passes over every post: front matter for slugs, names and URLs, then bodies. Bodies
// are not retained.
import { UseError } from 'quarry/authoring'
import { FieldTypes } from '../field-types.ts'
import { Ledger } from '../ledger.ts'
import { replaceParts } from '../parts.ts'
import type {
  FieldValue,
  ImportContext,
  ImportedDocument,
  ImportedSettings,
  ImportedSite,
  Importer,
} from '../site.ts'
import { type TermRecord, Terms } from '../terms.ts'
import { type Addressed, givesAddress, patternOf, slugInAddress } from './addresses.ts'
import { defineIn } from './authors.ts'
import { SiteDestinations } from './destinations.ts'
import { isMap, readSource, textAt, type Values } from './front.ts'
import type {
  BodyContext,
  PostFile,
  PostHead,
  SiteGenerator,
  StaticSite,
  Step,
} from './generator.ts'
import { type FieldContext, fieldsOf, type PostData, readPost, redirectsOf } from './post-fields.ts'
import { readHead } from './post-head.ts'
import { SourceTree } from './source-tree.ts'
import { stepsOf } from './steps.ts'

/** Creates the importer for a generator. */
export function staticImporter(generator: SiteGenerator): Importer {
  return (context) => {
    const tree = new SourceTree(context.source, context.report)
    const site = generator(tree, context)
    const reading = new StaticReading(tree, site, context)
    const posts = site.posts.flatMap((file) => reading.survey(file))
    if (posts.length === 0) throw reading.nothingFound()
    return {
      documents: reading.documents(posts),
      settings: () => reading.settings(),
    } satisfies ImportedSite
  }
}

/** The category of posts without one. */
const defaultCategory = { slug: 'posts', name: 'Posts' }

/** A post after the first pass: enough to read it again. */
interface SurveyedPost extends Addressed {
  readonly file: PostFile
}

class StaticReading {
  readonly #tree: SourceTree
  readonly #site: StaticSite
  readonly #context: ImportContext
  readonly #terms = new Terms()
  readonly #types = new FieldTypes()
  readonly #destinations: SiteDestinations
  readonly #steps: readonly Step[]
  readonly #undated = new Map<string, number>()
  #hasUncategorised = false
  #pattern = ''

  constructor(tree: SourceTree, site: StaticSite, context: ImportContext) {
    this.#tree = tree
    this.#site = site
    this.#context = context
    this.#steps = stepsOf(site.steps)
    this.#destinations = new SiteDestinations(tree, site, context.report)
    site.define?.(defineIn(this.#terms))
  }

  /** The first pass over a post: empty when it is no post, or is unreadable. */
  survey(file: PostFile): readonly SurveyedPost[] {
    const { slugs } = this.#context
    const head = this.#head(file)
    if (head === undefined) return []
    const address = this.#site.address(head)
    const slug = slugs.claim({
      slug: this.#site.slug?.(head) ?? slugInAddress(address, head.slug),
      date: head.date,
      from: file.path,
    })
    const data = readPost(head, this.#fields)
    this.#noteTerms(head, data)
    for (const [name, value] of data.custom) this.#types.observe(name, value)
    this.#destinations.addPost({ path: file.path, address, file: `${slug}.md` })
    return [{ file, slug, address, day: head.day, isPublic: head.withheld === undefined }]
  }

  /** The error of a site without posts. */
  nothingFound(): UseError {
    const { source, posts } = this.#context
    const files = [...this.#undated.values()].reduce((sum, count) => sum + count, 0)
    if (files === 0)
      return new UseError(
        `No posts were found below ${source}. Name their folder with --posts, such as --posts content/blog.`,
      )
    const keys = [...this.#undated.keys()]
      .filter((key) => /date|time|at$|on$/i.test(key))
      .slice(0, 5)
    const hint = keys.length === 0 ? '' : ` (keys: ${keys.join(', ')})`
    return new UseError(
      `No posts were found below ${posts ?? source}: ${files} Markdown files, none with a date${hint}. Name the key of the date with --date-key, or add --undated.`,
    )
  }

  /** The second pass: every term, then every post. */
  *documents(posts: readonly SurveyedPost[]): Generator<ImportedDocument> {
    const { report } = this.#context
    this.#pattern = patternOf(posts)
    const given = posts.filter((post) => givesAddress(this.#pattern, post)).length
    report.addresses = { pattern: this.#pattern, given, posts: posts.length }
    if (this.#hasUncategorised) {
      const { slug: key, name } = defaultCategory
      this.#terms.define({ kind: 'categories', key, name, from: 'posts without a category' })
    }
    yield* this.#terms.documents(report, (record) => this.#withImage(record))
    for (const post of posts) {
      const document = this.#document(post)
      if (document !== undefined) yield document
    }
  }

  settings(): ImportedSettings {
    const { addresses } = this.#context.report
    const hasUrls = addresses !== undefined && addresses.given < addresses.posts
    const fields = new Map(this.#types.types)
    if (hasUrls && !fields.has('url')) fields.set('url', 'text')
    return {
      name: this.#site.name,
      defaultCategory: this.#hasUncategorised
        ? this.#terms.slugOf('categories', defaultCategory.slug)
        : undefined,
      postLink: this.#pattern,
      hasBrokenLinks: this.#context.report.hasFailures,
      fields,
    }
  }

  get #fields(): FieldContext {
    const { report, keys } = this.#context
    return {
      site: this.#site,
      terms: this.#terms,
      types: this.#types,
      report,
      keys,
    }
  }

  /** The head of a post; undefined, with a line in the report, for other files. */
  #head(file: PostFile): PostHead | undefined {
    const { report } = this.#context
    const source = readSource(this.#tree, file.path, report)
    if (source === undefined) return undefined
    const head = readHead(file, source, this.#site.dates, this.#context)
    if (head !== 'no date') return head
    for (const key of ['', ...Object.keys(source.values)])
      this.#undated.set(key, (this.#undated.get(key) ?? 0) + (key === '' ? 1 : 0))
    report.settle(file.path, 'pages', 'no date')
    return undefined
  }

  #noteTerms(head: PostHead, { byline, category, tags }: PostData): void {
    const { path } = head.file
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

  #withImage(record: TermRecord): Pick<TermRecord, 'fields' | 'images'> {
    const { fields = {}, from } = record
    const { image } = fields
    if (typeof image !== 'string') return { fields }
    const destinations = this.#destinations.of(from)
    const rewritten = destinations.rewrite(image)
    return { fields: { ...fields, image: rewritten }, images: destinations.images(this.#tree) }
  }

  #document(post: SurveyedPost): ImportedDocument | undefined {
    const { file, slug, address } = post
    const { report, keepUnknown } = this.#context
    // The first pass has reported the front matter.
    const source = readSource(this.#tree, file.path, new Ledger())
    const head =
      source === undefined ? 'no date' : readHead(file, source, this.#site.dates, this.#context)
    // The file changed between the passes.
    if (source === undefined || head === 'no date') return undefined
    const destinations = this.#destinations.of(file.path)
    let isWhole = true
    const context: BodyContext = {
      head,
      bodyLine: source.bodyLine,
      keepUnknown,
      unknown: (message, place) => {
        report.add(keepUnknown ? 'left' : 'failed', message, `${file.path}:${place}`)
        isWhole = keepUnknown
      },
      changed: (text) => report.add('changed', text, file.path),
      addressOf: (path) => this.#destinations.addressOf(path),
    }
    const body = translated(source.body, [...this.#steps, destinations.step], context)
    if (isBlank(body) && !isBlank(source.body)) {
      report.add('failed', 'nothing of the body is left', file.path)
      isWhole = false
    }
    const url = givesAddress(this.#pattern, post) ? undefined : address
    if (url !== undefined) report.add('changed', 'own URL → fields.url', `${file.path} (${url})`)
    const id = this.#idOf(head, slug)
    const stated = fieldsOf(
      head,
      { slug, id, url, pattern: this.#pattern },
      destinations,
      this.#fields,
    )
    const isEmpty =
      isBlank(source.body) && stated['status'] !== 'draft' && !showsWithoutText(stated)
    if (isEmpty) report.add('changed', 'post without a text → draft', file.path)
    const fields = isEmpty || !isWhole ? { ...stated, status: 'draft' } : stated
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

/** Runs the steps of a translation, and reports each that changes the text. */
function translated(body: string, steps: readonly Step[], context: BodyContext): string {
  let text = body
  for (const { name, run } of steps) {
    let isReported = false
    const noted = {
      ...context,
      changed: (what: string) => {
        isReported = true
        context.changed(what)
      },
      unknown: (message: string, place: string) => {
        isReported = true
        context.unknown(message, place)
      },
    }
    const made = run(text, noted)
    if (made !== text && !isReported) context.changed(`${name} → changed`)
    text = made
  }
  return text
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

/** True for a post whose front matter has content: a description, an image, or texts of its own. */
function showsWithoutText({ description, coverImage, fields }: Values): boolean {
  const isUrl = (value: FieldValue) => typeof value === 'string' && /^https?:/.test(value)
  const custom = isMap(fields) ? Object.values(fields) : []
  return description !== undefined || coverImage !== undefined || custom.some(isUrl)
}
