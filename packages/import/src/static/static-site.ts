// Imports a site of files in two passes over every post: front matter for slugs, names and URLs, then bodies.
import { UseError } from 'quarry/authoring'
import type { GeneratorName } from '../index.ts'
import { reportLostWords } from '../lost-words.ts'
import type {
  BodyContext,
  FieldValue,
  ImportContext,
  ImportedDocument,
  ImportedSettings,
  Importer,
  PostFile,
  PostHead,
  SiteGenerator,
  StaticSite,
  Step,
} from '../site.ts'
import { type TermRecord, Terms } from '../terms.ts'
import { defineTerms } from './authors.ts'
import { placeAt } from './code-mask.ts'
import type { Addressed } from './destinations.ts'
import {
  addressesOf,
  givesAddress,
  missingFile,
  SiteDestinations,
  slugInAddress,
} from './destinations.ts'
import { eleventy } from './eleventy.ts'
import { placeOf } from './folders.ts'
import { isMap, readSource, type SourceDocument, textAt, type Values } from './front.ts'
import { hugo } from './hugo.ts'
import { jekyll } from './jekyll.ts'
import type { FieldContext, PostData } from './post-fields.ts'
import { FieldTypes, fieldsOf, readPost, redirectsOf } from './post-fields.ts'
import { dateInPattern, dayInUrl, knownKeys, readHead, undated } from './post-head.ts'
import { SourceTree } from './source-tree.ts'
import { stepsOf } from './steps.ts'
import { astro, docusaurus, hexo, mkdocs, next, nikola, pelican, vitepress } from './tools.ts'

/** Zola has the layout of Hugo; Gatsby is read like Next, because it has no fixed layout. */
export const generators: Readonly<Record<GeneratorName, SiteGenerator>> = {
  ...{ jekyll, hugo, zola: hugo, eleventy, astro, next, gatsby: next, docusaurus },
  ...{ vitepress, hexo, pelican, nikola, mkdocs },
}

export function staticImporter(generator: SiteGenerator): Importer {
  return (context) => {
    const tree = new SourceTree(context.source, context.report)
    const reading = new StaticReading(tree, generator(tree, context), context)
    return { documents: reading.documents(), settings: () => reading.settings() }
  }
}

const unknown = 'URL in the site that only its programs know: state it as `url`'
const defaultCategory = { slug: 'posts', name: 'Posts' }

interface SurveyedPost extends Addressed {
  readonly source: SourceDocument
  readonly head: PostHead
  readonly data: PostData
}

class StaticReading {
  readonly #tree: SourceTree
  readonly #context: ImportContext
  readonly #fields: FieldContext
  readonly #destinations: SiteDestinations
  readonly #posts: readonly SurveyedPost[]
  readonly #undated: Values[] = []
  #hasUncategorised = false
  #pattern = ''

  constructor(tree: SourceTree, site: StaticSite, context: ImportContext) {
    const { report, keys } = context
    this.#tree = tree
    this.#context = context
    this.#fields = { site, terms: new Terms(report), types: new FieldTypes(), report, keys }
    this.#destinations = new SiteDestinations(tree, site)
    defineTerms(tree, site, this.#fields.terms)
    this.#posts = site.posts.flatMap((file) => this.#survey(file))
    if (this.#posts.length === 0) throw this.#nothingFound()
  }

  #survey(file: PostFile): readonly SurveyedPost[] {
    const { report, slugs } = this.#context
    const { site, types } = this.#fields
    const source = readSource(this.#tree, file.path, report, file.withheld !== undefined)
    const head = source && readHead(file, source, site, this.#context)
    if (source === undefined || head === undefined) return []
    if (head === 'no date') {
      this.#settleUndated(file, source.values)
      return []
    }
    const made = site.address(head)
    // An unknown placeholder, such as `:hash`, or the date of an undated post.
    const isOpen = made && head.date === undated.at && /\b1970\b/.test(made)
    const likely = isOpen || /:\w|\{\w+\}/.test(made ?? '') ? undefined : made
    const address = site.isGuess?.(head) ? undefined : likely
    const wish = site.slug?.(head) ?? slugInAddress(likely, head.slug)
    const slug = slugs.claim({ slug: wish, date: head.date, from: file.path })
    const data = readPost({ ...head, slug: wish }, this.#fields)
    this.#noteTerms(file.path, data)
    for (const [name, value] of data.custom) types.observe(name, value)
    const known = { address, likely, day: dayInUrl(head), isPublic: head.withheld === undefined }
    const post = { source, head, data, slug, ownDay: head.day, ...known }
    this.#destinations.addPost(file.path, post)
    return [post]
  }

  #settleUndated({ path, isPost, withheld }: PostFile, values: Values): void {
    const written = textAt(values, ...knownKeys.date)
    if (written === undefined) this.#undated.push(values)
    const isShown = withheld === undefined && (written !== undefined || isPost === true)
    const reason = `no date${isShown ? ', but a page of the site' : ''}: --undated imports it`
    const text = written === undefined ? reason : `date not understood: ${written}`
    this.#context.report.settle(path, 'pages', text, isShown ? 'failed' : 'files')
  }

  #nothingFound(): UseError {
    const { source, posts, report } = this.#context
    const others = [...report.entries('files'), ...report.entries('failed')]
      .filter(({ text }) => / (?:is not read|--posts)/.test(text))
      .map(({ count, text }) => ` ${count} files: ${text}.`)
    const all = new Set(this.#undated.flatMap((values) => Object.keys(values)))
    const keys = [...all].filter((key) => /date|time|at$|on$/i.test(key))
    const hint = keys.length > 0 ? ` (keys: ${keys.slice(0, 5).join(', ')})` : ''
    const reason =
      this.#undated.length === 0
        ? `${source}.${others.join('')} Name their folder with --posts, such as --posts content/blog.`
        : `${posts ?? source}: ${this.#undated.length} Markdown files, none with a date${hint}. Name the key of the date with --date-key, or add --undated.`
    return new UseError(`No posts were found below ${reason}`)
  }

  #noteTerms(path: string, { byline, category, tags }: PostData): void {
    const { terms } = this.#fields
    for (const author of byline.authors) {
      const { name, fields, body, leftKeys = [] } = author
      const isRecord = leftKeys.length > 0 || [body, ...Object.values(fields)].some(Boolean)
      if (isRecord) terms.define({ ...author, kind: 'authors', key: name, from: path })
      terms.use('authors', name, path)
    }
    if (category === undefined) {
      this.#hasUncategorised = true
      const text = `post without a category: it is in "${defaultCategory.name}", the default of workspace.yml`
      this.#context.report.add('changed', text, path)
    } else terms.use('categories', category, path)
    for (const tag of tags) terms.use('tags', tag, path)
  }

  *documents(): Generator<ImportedDocument> {
    const { report } = this.#context
    const { terms } = this.#fields
    report.addresses = addressesOf(this.#posts)
    this.#pattern = report.addresses.pattern
    if (this.#hasUncategorised) {
      const { slug: key, name } = defaultCategory
      terms.define({ kind: 'categories', key, name, from: 'posts without a category' })
    }
    yield* terms.documents({ withImages: (record) => this.#withImage(record) })
    for (const post of this.#posts) yield this.#document(post)
    const own = new Set(this.#posts.map(({ head }) => placeOf(head.file)))
    for (const place of this.#context.group?.keys.keys() ?? [])
      if (!own.has(place)) report.add('left', 'post without a translation in this language', place)
  }

  /** Returns the key that a post and its translations share; undefined if it is the slug. */
  #translationKey({ file, values }: PostHead, slug: string): string | undefined {
    const { keys, takenKeys } = this.#context.group ?? {}
    if (keys === undefined || takenKeys === undefined) return undefined
    const stated = textAt(values, 'translationKey')
    if (stated !== undefined) return stated
    const place = placeOf(file)
    const key = keys.get(place) ?? (takenKeys.has(slug) ? place : slug)
    keys.set(place, key)
    takenKeys.add(key)
    return key === slug ? undefined : key
  }

  settings(): ImportedSettings {
    const { report, group, language } = this.#context
    const { site, terms, types } = this.#fields
    return {
      name: site.name,
      locale: group && Intl.getCanonicalLocales(language ?? (report.languages[0] || 'en'))[0],
      translationOf: language && group?.workspace,
      defaultCategory: this.#hasUncategorised
        ? terms.slugOf('categories', defaultCategory.slug)
        : undefined,
      postLink: (site.url ?? '') + this.#pattern,
      hasBrokenLinks:
        report.hasFailures || report.entries('left').some(({ text }) => text === missingFile),
      fields: types.types,
    }
  }

  #withImage({ fields = {}, from }: TermRecord): Pick<TermRecord, 'fields' | 'images'> {
    const { image } = fields
    if (typeof image !== 'string') return { fields }
    const { rewrite, images } = this.#destinations.of(from)
    return { fields: { ...fields, image: rewrite(image) }, images: [...images.values()] }
  }

  #document(post: SurveyedPost): ImportedDocument {
    const { head, slug, address, likely, source } = post
    const { report } = this.#context
    const { path } = head.file
    const destinations = this.#destinations.of(path)
    const steps = [...stepsOf(this.#fields.site), destinations.step]
    const { body, isWhole } = this.#translate(head, source, steps)
    const url = givesAddress(this.#pattern, post) ? undefined : address
    if (url !== undefined) report.add('changed', 'own URL → `url`', `${path} (${url})`)
    if (address === undefined && post.isPublic)
      report.add('left', unknown, likely === undefined ? path : `${path} (${likely}?)`)
    const publishedAt = dateInPattern(head, this.#pattern)
    if (publishedAt !== head.date)
      report.add('changed', 'time moved within the day of its URL', path)
    const id = this.#idOf(head, slug)
    const stated = fieldsOf(post, publishedAt, destinations, this.#fields)
    const isEmpty =
      isBlank(source.body) && stated['status'] !== 'draft' && !showsWithoutText(stated)
    const isShown = !isEmpty || source.body.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim() === ''
    if (!isShown) report.add('failed', 'markup without a text', path)
    else if (isEmpty) report.add('changed', 'post without a text', path)
    const translationKey = this.#translationKey(head, slug)
    const status = !isShown || !isWhole ? 'draft' : stated['status']
    const fields = { id, url, ...stated, status, translationKey }
    const placeOf = (text: string, at: number) => `${path}:${placeAt(text, at, source.bodyLine)}`
    reportLostWords(report, source.body, `${JSON.stringify(fields)}\n${body}`, placeOf)
    const images = [...destinations.images.values()]
    const redirects = redirectsOf(head.values)
    return { kind: 'posts', slug, fields, body, images, redirects, from: path }
  }

  /** Runs the steps of a translation, and reports each step that changes the text. Unknown markup makes the body incomplete. */
  #translate(head: PostHead, source: SourceDocument, steps: readonly Step[]) {
    const { report, keepUnknown } = this.#context
    const { path } = head.file
    let isWhole = true
    let isReported = false
    const context: BodyContext = {
      head,
      unknown: (message, text, at) => {
        const place = `${path}:${placeAt(text, at, source.bodyLine)}`
        report.add(keepUnknown ? 'left' : 'failed', message, place)
        isWhole &&= keepUnknown
        isReported = true
      },
      changed: (text) => {
        report.add('changed', text, path)
        isReported = true
      },
      stays: (text) => report.add('left', `${text}: it stays as text`, path),
      addressOf: (name) => this.#destinations.addresses.get(name),
    }
    let body = source.body
    for (const { name, run } of steps) {
      isReported = false
      const made = run(body, context)
      if (made !== body && !isReported) report.add('changed', name, path)
      body = made
    }
    if (!isBlank(body)) return { body, isWhole }
    // A build refuses a body without visible content.
    const isSource = !isBlank(source.body)
    if (isSource) report.add('failed', 'the body is empty after conversion', path)
    else if (body.trim() !== '') report.add('changed', 'markup that shows nothing → left out', path)
    return { body: isSource ? body : '', isWhole: isWhole && !isSource }
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

function isBlank(body: string): boolean {
  const unseen =
    /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?<\/\1>|<\/?(?!(?:img|hr|input)\b)[a-z][\w-]*(?=[\s/>])[^<>]*>|^ {0,3}\[[^\]^\n][^\]\n]*\]:.*$/gim
  return body.replace(unseen, '').trim() === ''
}

function showsWithoutText({ description, coverImage, fields }: Values): boolean {
  const isUrl = (value: FieldValue) => typeof value === 'string' && /^https?:/.test(value)
  const custom = isMap(fields) ? Object.values(fields) : []
  return description !== undefined || coverImage !== undefined || custom.some(isUrl)
}
