// References from posts to categories, tags and authors: found by slug or id, or created if the workspace allows it.
import { compareCodePoints } from '../api/bytes.ts'
import type { Author, Term, TermKind } from '../api/resources.ts'
import type { Problem } from '../diagnostics.ts'
import { type MediaFile, readPicture } from './destinations.ts'
import { deriveId, identifierProblem, slugify } from './identifier.ts'
import {
  collapseSpaces,
  type FieldPath,
  type InlineAuthor,
  parseAuthor,
  type Reading,
  socialsOf,
} from './read-fields.ts'
import type { PostFields } from './schema.ts'
import type { WorkspaceSettings } from './settings.ts'
import { type AnyTerm, noDetails, type TermContext, type TermSet } from './terms.ts'

/** The terms of a workspace. */
export type TermSets = Readonly<Record<TermKind, TermSet>>

/** The references of a post. */
export interface ResolvedTerms {
  readonly category: Term
  readonly tags: readonly Term[]
  readonly authors: readonly Author[]
}

/** The validated front matter of a post. */
export interface FieldsResult {
  readonly fields: PostFields
  /** Names of invalid fields, all reported. */
  readonly failed: ReadonlySet<string>
  readonly reading: Reading
  readonly isDraft: boolean
  readonly isExpired: boolean
  /** Of a draft; `expired` after its `expiresAt`. */
  readonly state: 'draft' | 'expired'
}

interface Place {
  readonly reading: Reading
  /** Path in the front matter, resolved to a position only for a problem. */
  readonly path: FieldPath
  readonly isDraft: boolean
  /** ISO 8601, UTC; empty for a post that is published or has no date. */
  readonly scheduledFor: string
  /** True for a default category. */
  readonly isDefault?: boolean
}

/** A created term. Its name and missing details are final only after all posts are read. */
type CreatedTerm = { -readonly [key in keyof AnyTerm]: AnyTerm[key] }

/** A scheduled post adds nothing to a term that a published one names: nothing may reveal it before its time. */
interface Mentions {
  /** Since when a post names it: empty for a published post, otherwise the date of the earliest scheduled one. */
  since: string
  /** Number of each spelling in published posts. A default category counts only if no post writes it. */
  readonly spellings: Map<string, number>
}

/** The input of references. */
export interface ReferenceContext extends TermContext {
  readonly settings: WorkspaceSettings
  /** Grows if references create missing terms. */
  readonly terms: TermSets
}

/** Resolves references of one workspace. */
export class References {
  readonly #workspace: string
  readonly #context: ReferenceContext
  readonly #isCreating: boolean
  readonly #created = new Map<CreatedTerm, Mentions>()
  /** Images of authors in posts, by URL. */
  readonly #pictures = new Map<string, MediaFile>()
  #isDefaultReported = false

  constructor(workspace: string, context: ReferenceContext) {
    this.#workspace = workspace
    this.#context = context
    this.#isCreating = context.settings.references === 'create'
  }

  /** Drafts create nothing. @returns undefined if a term is missing, which has been reported */
  resolve(read: FieldsResult, scheduledFor: string): ResolvedTerms | undefined {
    const { reading, isDraft, failed } = read
    const at = { reading, isDraft, scheduledFor }
    const category = failed.has('category') ? undefined : this.#category(read, at)
    const tags = this.#list('tags', read, at)
    const authors = this.#list('authors', read, at)
    if (category === undefined || tags === undefined || authors === undefined) return undefined
    return { category, tags, authors }
  }

  /** Sets the final names and images of created terms, after all posts are resolved. */
  nameCreated(): void {
    for (const [term, { spellings }] of this.#created) {
      const [best] = [...spellings].sort(
        ([a, count], [b, other]) => other - count || compareCodePoints(a, b),
      )
      if (best !== undefined) term.name = best[0]
    }
    const { authors } = this.#context.terms
    for (const { id, image } of authors.sorted) {
      const picture = image === null ? undefined : this.#pictures.get(image)
      if (picture !== undefined) authors.pictures.set(id, picture)
    }
  }

  #category({ fields, reading }: FieldsResult, at: Omit<Place, 'path'>): Term | undefined {
    const { defaults, hasInvalidRules } = this.#context.settings
    const name = fields.category ?? defaults.category
    const place = { ...at, path: ['category'], isDefault: fields.category === undefined }
    if (name !== undefined) return this.#find('categories', name, place)
    if (hasInvalidRules) return undefined
    reading.report(reading.at, {
      code: 'missing-field',
      message: '`category` is missing.',
      hint: 'Add `category: …`, or `defaults: { category: … }` to workspace.yml.',
    })
    return undefined
  }

  #list(
    kind: 'tags' | 'authors',
    { fields }: FieldsResult,
    at: Omit<Place, 'path'>,
  ): readonly AnyTerm[] | undefined {
    const found = new Map<string, AnyTerm>()
    let areAllFound = true
    for (const [index, name] of fields[kind].entries()) {
      const place = { ...at, path: [kind, index] }
      const term = this.#find(kind, name, place)
      if (term === undefined) areAllFound = false
      else if (!found.has(term.id)) found.set(term.id, term)
    }
    return areAllFound ? [...found.values()] : undefined
  }

  #find(kind: TermKind, given: string | InlineAuthor, place: Place): AnyTerm | undefined {
    const terms = this.#context.terms[kind]
    const exact = typeof given === 'string' ? terms.find(given) : undefined
    if (exact !== undefined && !this.#created.has(exact)) return exact
    const written = this.#resolvePicture(parseReference(kind, given), place)
    const found = exact ?? this.#findByName(kind, written)
    if (found === undefined && !terms.isComplete) return undefined
    if (found === undefined && !this.#isCreating) {
      this.#reportUnknown(kind, written.name, place)
      return undefined
    }
    const term = found ?? this.#create(kind, written, place)
    if (term !== undefined) this.#mention(term, written, place)
    return term
  }

  #resolvePicture(written: InlineAuthor, { reading, path }: Place): InlineAuthor {
    const { image = null } = written
    const { url, media } = readPicture(
      image,
      [...path, 'image'],
      reading,
      this.#context.destinations,
    )
    if (url === null) return written
    if (media !== undefined) this.#pictures.set(url, media)
    return { ...written, image: url }
  }

  /** Finds a term by id, name or slug. A name in place of a slug counts if references create terms or are slugified. */
  #findByName(kind: TermKind, { id, slug, name }: InlineAuthor): AnyTerm | undefined {
    const terms = this.#context.terms[kind]
    const stated = (id && terms.find(id)) || (slug && terms.find(slug)) || terms.find(name)
    if (stated) return stated
    const derivedSlug = slug ?? slugify(name)
    if (this.#isCreating)
      return terms.findLoosely(name) ?? terms.find(derivedSlug) ?? terms.findLoosely(derivedSlug)
    const source = this.#context.mappings.posts[kind === 'categories' ? 'category' : kind]
    const isSlugified = typeof source === 'object' && 'slugify' in source && source.slugify === true
    return isSlugified ? terms.find(derivedSlug) : undefined
  }

  #create(kind: TermKind, written: InlineAuthor, place: Place): AnyTerm | undefined {
    const slug = written.slug ?? slugify(written.name)
    const problem = identifierProblem(slug)
    if (problem !== null) {
      place.reading.report(place.path, slugProblem(kind, written.name, problem))
      return undefined
    }
    const id = deriveId(this.#workspace, kind, slug)
    const term: AnyTerm = { id, slug, name: collapseSpaces(written.name), ...noDetails }
    if (place.isDraft) return term
    this.#created.set(term, { since: '\uffff', spellings: new Map() })
    this.#context.terms[kind].created.push(id)
    this.#context.terms[kind].add(term)
    return term
  }

  /** Counts a mention of a created term. The first mention of a detail is kept. */
  #mention(term: CreatedTerm, written: InlineAuthor, place: Place): void {
    const created = this.#created.get(term)
    const { isDraft, scheduledFor } = place
    if (created === undefined || isDraft || (scheduledFor !== '' && scheduledFor >= created.since))
      return
    const spelling = collapseSpaces(written.name)
    // Forgets what a later post said.
    if (created.since !== '') Object.assign(term, noDetails, { name: spelling })
    created.since = scheduledFor
    term.image ??= written.image ?? null
    term.role ??= written.role ?? null
    term.bio ??= written.bio ?? null
    if (term.socials.length === 0) term.socials = socialsOf(written)
    if (scheduledFor !== '') return
    const count = created.spellings.get(spelling) ?? 0
    created.spellings.set(spelling, place.isDefault === true ? count : count + 1)
  }

  /** An unknown default is reported once, where it is set. */
  #reportUnknown(kind: TermKind, name: string, place: Place): void {
    const { settings, terms } = this.#context
    const { reading } = settings
    if (settings.hasInvalidRules || (place.isDefault && this.#isDefaultReported)) return
    if (place.isDefault) this.#isDefaultReported = true
    const at = place.isDefault && reading ? { reading, path: ['defaults', 'category'] } : place
    at.reading.report(at.path, {
      code: `unknown-${singular[kind]}`,
      message: `${JSON.stringify(name)} is not ${withArticle[kind]}.`,
      hint: unknownTermHint(kind, name),
      near: () => terms[kind].findLoosely(name)?.slug ?? terms[kind].nearestSlug(name),
    })
  }
}

function parseReference(kind: TermKind, given: string | InlineAuthor): InlineAuthor {
  if (typeof given !== 'string') return given
  return kind === 'authors' ? parseAuthor(given) : { name: collapseSpaces(given) }
}

const singular = { categories: 'category', tags: 'tag', authors: 'author' } as const
const withArticle = { categories: 'a category', tags: 'a tag', authors: 'an author' } as const

function unknownTermHint(kind: TermKind, name: string): string {
  const slug = slugify(name)
  if (slug === '') return 'Write its slug.'
  return `Add \`${kind}/${slug}.md\`, or \`references: create\` to workspace.yml.`
}

function slugProblem(kind: TermKind, name: string, problem: string): Problem {
  return {
    code: 'invalid-identifier',
    message: `${JSON.stringify(name)} cannot become the slug of ${withArticle[kind]}: it ${problem}.`,
    hint: `Define the ${singular[kind]} in a file with this \`name\` and a \`slug\`.`,
  }
}
