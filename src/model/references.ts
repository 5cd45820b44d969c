// References from posts to categories, tags and authors: found by slug or id, or created if the workspace allows it.
import { compareCodePoints } from '../api/bytes.ts'
import type { Author, Social, Term, TermKind } from '../api/resources.ts'
import type { Problem } from '../diagnostics.ts'
import { oneLine, socialsOf, type WrittenAuthor, writtenAuthor } from './author-names.ts'
import { type Destinations, type MediaFile, readPicture } from './destinations.ts'
import type { FrontMatterMapping, Mappings } from './front-matter-mapping.ts'
import { deriveId, identifierProblem, slugify } from './identifier.ts'
import type { Problems } from './problems.ts'
import { type PartlyRead, placeOf, type Reading } from './read-fields.ts'
import type { PostFields } from './schema.ts'
import type { WorkspaceSettings } from './settings.ts'
import type { AnyTerm, TermSet } from './terms.ts'

/** The terms of a workspace. */
export type TermSets = Readonly<Record<TermKind, TermSet>>

/** The references of a post. */
export interface ResolvedTerms {
  readonly category: Term
  readonly tags: readonly Term[]
  readonly authors: readonly Author[]
}

/** Resolves references of one workspace. */
export class References {
  readonly #workspace: string
  readonly #settings: WorkspaceSettings
  readonly #terms: TermSets
  readonly #problems: Problems
  readonly #mapping: FrontMatterMapping
  readonly #destinations: Destinations
  readonly #created = new CreatedTerms()
  /** Images of authors in posts, by URL. */
  readonly #pictures = new Map<string, MediaFile>()
  #isDefaultReported = false

  constructor(
    workspace: string,
    context: {
      readonly settings: WorkspaceSettings
      readonly destinations: Destinations
      readonly terms: TermSets
      readonly mappings: Mappings
      readonly problems: Problems
    },
  ) {
    this.#workspace = workspace
    this.#settings = context.settings
    this.#terms = context.terms
    this.#mapping = context.mappings.posts
    this.#problems = context.problems
    this.#destinations = context.destinations
  }

  /**
   * Resolves a post's category, tags and authors. Skips fields that failed: they have been reported.
   *
   * @param mention drafts create nothing. A term that only drafts name is no error either if references create terms
   * @returns undefined if one is missing, which has been reported
   */
  resolve(
    { value: fields, failed }: PartlyRead<PostFields>,
    reading: Reading,
    mention: Mention,
  ): ResolvedTerms | undefined {
    if (fields === undefined) return undefined
    const category = failed.has('category') ? undefined : this.#category(fields, reading, mention)
    const tags = this.#list('tags', fields.tags, reading, mention)
    const authors = this.#list('authors', fields.authors, reading, mention)
    if (category === undefined || tags === undefined || authors === undefined) return undefined
    return { category, tags, authors }
  }

  /** Sets the final names and images of created terms, after all posts are resolved. */
  nameCreated(): void {
    this.#created.name(this.#problems)
    const { authors } = this.#terms
    for (const { id, image } of authors.sorted(() => 0)) {
      const picture = image === null ? undefined : this.#pictures.get(image)
      if (picture !== undefined) authors.pictures.set(id, picture)
    }
  }

  #category(fields: PostFields, reading: Reading, mention: Mention): Term | undefined {
    const name = fields.category ?? this.#settings.defaults.category
    const place = { reading, path: ['category'], mention }
    if (name !== undefined) {
      return this.#find('categories', name, place, fields.category !== undefined)
    }
    if (this.#settings.doubtful.has('defaults')) return undefined
    this.#problems.report(reading.source, reading.at, {
      code: 'missing-field',
      message: '`category` is missing.',
      hint: 'Add `category: …`, or `defaults: { category: … }` to workspace.yml.',
    })
    return undefined
  }

  #list(
    kind: TermKind,
    names: readonly (string | WrittenAuthor)[],
    reading: Reading,
    mention: Mention,
  ): readonly AnyTerm[] | undefined {
    if (names.length === 0) return none
    const found = new Map<string, AnyTerm>()
    let isWhole = true
    names.forEach((name, index) => {
      const place = { reading, path: [kind, index], mention }
      const term = this.#find(kind, name, place)
      if (term === undefined) isWhole = false
      else if (found.has(term.id)) this.#warnRepeated(name, place)
      else found.set(term.id, term)
    })
    return isWhole ? [...found.values()] : undefined
  }

  /** @param isTyped false for a default */
  #find(
    kind: TermKind,
    given: string | WrittenAuthor,
    place: Place,
    isTyped = true,
  ): AnyTerm | undefined {
    const terms = this.#terms[kind]
    const exact = typeof given === 'string' ? terms.find(given) : undefined
    if (exact !== undefined && !this.#created.has(exact)) return exact
    const written = this.#withPicture(writtenOf(kind, given), place)
    const found = exact ?? this.#findWritten(kind, written)
    if (found !== undefined) {
      this.#created.mention(found, written, place, isTyped)
      return found
    }
    // The term's own file has an error; further errors at every reference would hide it.
    if (terms.isDoubtful(written.name) || terms.isDoubtful(slugify(written.name))) return undefined
    if (this.#settings.references === 'create') return this.#create(kind, written, place, isTyped)
    if (isTyped) this.#reportUnknown(kind, written.name, place)
    else this.#reportDefault(kind, written.name)
    return undefined
  }

  /** Resolves the image of an author that is a map. */
  #withPicture(written: WrittenAuthor, { reading, path }: Place): WrittenAuthor {
    if (typeof written.image !== 'string') return written
    const context = { destinations: this.#destinations, problems: this.#problems }
    const { url, media } = readPicture(written.image, [...path, 'image'], reading, context)
    if (url === null) return written
    if (media !== undefined) this.#pictures.set(url, media)
    return { ...written, image: url }
  }

  /** Finds a term by id, name or slug. A name in place of a slug counts if references create terms or are slugified. */
  #findWritten(kind: TermKind, { id, slug, name }: WrittenAuthor): AnyTerm | undefined {
    const terms = this.#terms[kind]
    const stated = (id && terms.find(id)) || (slug && terms.find(slug)) || terms.find(name)
    if (stated) return stated
    const isCreating = this.#settings.references === 'create'
    if (!isCreating && !this.#isSlugified(kind)) return undefined
    const named = isCreating ? terms.findNamed(name) : undefined
    const found = named ?? terms.find(slug ?? slugify(name))
    return found ?? (isCreating ? terms.findIgnoringCase(slug ?? slugify(name)) : undefined)
  }

  #isSlugified(kind: TermKind): boolean {
    const source = this.#mapping[fieldOf[kind]]
    return typeof source === 'object' && 'slugify' in source && source.slugify === true
  }

  #create(
    kind: TermKind,
    written: WrittenAuthor,
    place: Place,
    isTyped: boolean,
  ): AnyTerm | undefined {
    const slug = written.slug ?? slugify(written.name)
    const problem = identifierProblem(slug)
    if (problem !== null) {
      this.#report(place, noSlug(kind, written.name, problem))
      return undefined
    }
    const term = createdTerm(this.#workspace, kind, slug, written.name)
    if (this.#terms[kind].findIgnoringCase(term.id) !== undefined) {
      this.#report(place, {
        code: 'duplicate-identifier',
        message: `The id "${term.id}" that ${JSON.stringify(slug)} would have is the slug of another.`,
        hint: `State \`${kind}/${slug}.md\` with an \`id\` of its own.`,
      })
      return undefined
    }
    if (place.mention.isDraft) return term
    this.#created.add(term, kind)
    this.#created.mention(term, written, place, isTyped)
    return this.#terms[kind].add(term)
  }

  /** Reports an unknown default once, where it is set. */
  #reportDefault(kind: TermKind, identifier: string): void {
    const { reading } = this.#settings
    if (this.#isDefaultReported || reading === undefined) return
    this.#isDefaultReported = true
    this.#reportUnknown(kind, identifier, { reading, path: ['defaults', singular[kind]] })
  }

  #reportUnknown(kind: TermKind, identifier: string, place: Omit<Place, 'mention'>): void {
    if (this.#settings.doubtful.has('references')) return
    this.#report(place, {
      code: `unknown-${singular[kind]}`,
      message: `${JSON.stringify(identifier)} is not ${articled[kind]}.`,
      hint: hintFor(kind, identifier, this.#terms[kind].listFile),
      near: () => this.#nearSlug(kind, identifier),
    })
  }

  #nearSlug(kind: TermKind, identifier: string): string | undefined {
    const terms = this.#terms[kind]
    return terms.findNamed(identifier)?.slug ?? terms.nearestSlug(identifier)
  }

  #report({ reading, path }: Omit<Place, 'mention'>, problem: Problem): void {
    this.#problems.report(reading.source, placeOf(reading, path), problem)
  }

  #warnRepeated(given: string | WrittenAuthor, place: Place): void {
    const name = typeof given === 'string' ? given : given.name
    this.#report(place, {
      code: 'repeated-reference',
      severity: 'warning',
      message: `"${name}" is named twice; the second is ignored.`,
    })
  }
}

const none: readonly AnyTerm[] = []

/** @param list the file that states the other terms of the kind, if there is one */
function hintFor(kind: TermKind, identifier: string, list: string | undefined): string {
  const slug = slugify(identifier)
  if (slug === '') return 'Write its slug.'
  const add =
    list === undefined ? `\`${kind}/${slug}.md\`` : `an entry with \`slug: ${slug}\` to \`${list}\``
  return `Add ${add}, or \`references: create\` to workspace.yml.`
}

function writtenOf(kind: TermKind, given: string | WrittenAuthor): WrittenAuthor {
  if (typeof given !== 'string') return given
  return kind === 'authors' ? writtenAuthor(given) : { name: oneLine(given) }
}

function noSlug(kind: TermKind, name: string, problem: string): Problem {
  const of = singular[kind]
  return {
    code: 'invalid-identifier',
    message: `${JSON.stringify(name)} cannot become the slug of ${articled[kind]}: it ${problem}.`,
    hint: `Define the ${of} in a file with this \`name\` and a \`slug\`.`,
  }
}

const articled = { categories: 'a category', tags: 'a tag', authors: 'an author' } as const
const fieldOf = { categories: 'category', tags: 'tags', authors: 'authors' } as const

/** A name in a post's front matter. */
export interface Place {
  readonly reading: Reading
  /** Path in the front matter, resolved to a position only for a problem. */
  readonly path: readonly PropertyKey[]
  readonly mention: Mention
}

/** Properties of a post that decide whether it adds to the terms it names. */
export interface Mention {
  readonly isDraft: boolean
  /** ISO 8601, UTC; undefined for a post that is published or has no date. */
  readonly scheduledFor: string | undefined
}

/** Singular of each kind, for messages. */
export const singular = { categories: 'category', tags: 'tag', authors: 'author' } as const

/** Creates a term with only a slug and a preliminary name. */
export function createdTerm(
  workspace: string,
  kind: TermKind,
  slug: string,
  name: string,
): CreatedTerm {
  return {
    id: deriveId(workspace, kind, slug),
    slug,
    name: oneLine(name),
    image: null,
    role: null,
    socials: [],
    bio: null,
    description: null,
  }
}

/** A created term. Its name and missing details are final only after all posts are read. */
export type CreatedTerm = { -readonly [key in keyof AnyTerm]: AnyTerm[key] }

/**
 * The terms that the posts of a workspace create, with their spellings.
 *
 * A scheduled post adds nothing to a term that a published post names: nothing may reveal it before its time. A term
 * that only scheduled posts name follows the earliest of them.
 */
export class CreatedTerms {
  readonly #created = new Map<AnyTerm, Mentions>()

  add(term: CreatedTerm, kind: TermKind): void {
    this.#created.set(term, { kind, spellings: new Map(), scheduled: undefined })
  }

  has(term: AnyTerm): boolean {
    return this.#created.has(term)
  }

  /**
   * Counts a mention of a term, if this set created it. The first mention of a detail is kept.
   *
   * @param isTyped false for a default category, which counts only if no post writes it
   */
  mention(term: AnyTerm, written: WrittenAuthor, place: Place, isTyped: boolean): void {
    const created = this.#created.get(term)
    const { isDraft, scheduledFor } = place.mention
    if (created === undefined || isDraft) return
    if (scheduledFor !== undefined) {
      const isFirst = created.scheduled === undefined || scheduledFor < created.scheduled.at
      if (isFirst) created.scheduled = { at: scheduledFor, written }
      return
    }
    const spelling = oneLine(written.name)
    const counted = created.spellings.get(spelling)
    if (counted === undefined) created.spellings.set(spelling, { count: isTyped ? 1 : 0, place })
    else if (isTyped) counted.count += 1
    complete(term, written)
  }

  /** Sets the final names of all terms, and warns once about each other spelling. */
  name(problems: Problems): void {
    for (const [term, { kind, spellings, scheduled }] of this.#created) {
      const created: CreatedTerm = term
      const [best, ...others] = [...spellings].sort(byFrequency)
      if (best === undefined) {
        if (scheduled !== undefined) complete(created, scheduled.written)
        created.name = oneLine(scheduled?.written.name ?? term.name)
        continue
      }
      created.name = best[0]
      for (const [spelling, { count, place }] of others) {
        if (count > 0) warn(problems, { kind, best, spelling, place })
      }
    }
  }
}

interface Mentions {
  readonly kind: TermKind
  /** Spellings in published posts. */
  readonly spellings: Spellings
  /** Spelling in the earliest scheduled post. */
  scheduled: { readonly at: string; readonly written: WrittenAuthor } | undefined
}

type Spellings = Map<string, { count: number; readonly place: Place }>
type Spelling = readonly [spelling: string, { readonly count: number; readonly place: Place }]

function byFrequency([a, { count }]: Spelling, [b, other]: Spelling): number {
  return other.count - count || compareCodePoints(a, b)
}

function complete(term: CreatedTerm, written: WrittenAuthor): void {
  term.image ??= written.image ?? null
  term.role ??= written.role ?? null
  term.bio ??= written.bio ?? null
  const socials: readonly Social[] = socialsOf(written)
  if (term.socials.length === 0) term.socials = socials
}

interface OtherSpelling {
  readonly kind: TermKind
  readonly best: Spelling
  readonly spelling: string
  readonly place: Place
}

function warn(problems: Problems, { kind, best, spelling, place }: OtherSpelling): void {
  const [name, { count }] = best
  const { reading, path } = place
  problems.report(reading.source, placeOf(reading, path), {
    code: 'differing-spelling',
    severity: 'warning',
    message: `${JSON.stringify(spelling)} is the ${singular[kind]} that is ${JSON.stringify(name)} elsewhere (${count === 1 ? 'once' : `${count} times`}).`,
    hint: `Use one spelling, or define the ${singular[kind]} in a file.`,
  })
}
