// References from posts to categories, tags and authors: found by slug or id, or created where a workspace
// says so. Knows nothing of the rest of a post.
import type { Author, Term, TermKind } from '../api/resources.ts'
import { identifierProblem, slugify } from './identifier.ts'
import { didYouMean, type Problem, type Problems } from './problems.ts'
import { type PartlyRead, placeOf, type Reading } from './read-fields.ts'
import type { PostFields, Settings } from './schema.ts'
import { type AnyTerm, createdTerm, type TermSet } from './terms.ts'

/** The terms of a workspace. */
export type TermSets = Readonly<Record<TermKind, TermSet>>

/** What a post refers to. */
export interface ResolvedTerms {
  readonly category: Term
  readonly tags: readonly Term[]
  readonly authors: readonly Author[]
}

/** Resolves references of one workspace. */
export class References {
  readonly #workspace: string
  readonly #settings: Settings
  readonly #terms: TermSets
  readonly #problems: Problems
  /** What was meant by names that are not known; the same one is often written in many posts. */
  readonly #hints = new Map<string, string>()
  #compared = 0

  constructor(
    workspace: string,
    context: {
      readonly settings: Settings
      readonly terms: TermSets
      readonly problems: Problems
    },
  ) {
    this.#workspace = workspace
    this.#settings = context.settings
    this.#terms = context.terms
    this.#problems = context.problems
  }

  /**
   * A post's category, tags and authors; fields that failed have been reported and are passed over.
   *
   * @param isDraft drafts create nothing: what they name and nobody else does is no error either when
   *   references create
   * @returns undefined when one is missing, which has been reported
   */
  resolve(
    { value: fields, failed }: PartlyRead<PostFields>,
    reading: Reading,
    isDraft: boolean,
  ): ResolvedTerms | undefined {
    if (fields === undefined) return undefined
    const category = failed.has('category') ? undefined : this.#category(fields, reading, isDraft)
    const tags = this.#list('tags', fields.tags, reading, isDraft)
    const authors = this.#list('authors', fields.authors, reading, isDraft)
    if (category === undefined || tags === undefined || authors === undefined) return undefined
    return { category, tags, authors }
  }

  #category(fields: PostFields, reading: Reading, isDraft: boolean): Term | undefined {
    const slug = fields.category ?? this.#settings.defaults.category
    if (slug !== undefined) {
      return this.#find('categories', slug, {
        reading,
        path: ['category'],
        isDraft,
      })
    }
    this.#problems.report(reading.source, reading.at, {
      code: 'missing-field',
      message: '`category` is missing.',
      hint: 'Add `category: …`, or `defaults: { category: … }` to workspace.yml.',
    })
    return undefined
  }

  #list(
    kind: TermKind,
    slugs: readonly string[],
    reading: Reading,
    isDraft: boolean,
  ): readonly AnyTerm[] | undefined {
    if (slugs.length === 0) return none
    const found = new Map<string, AnyTerm>()
    let isWhole = true
    slugs.forEach((slug, index) => {
      const place = { reading, path: [kind, index], isDraft }
      const term = this.#find(kind, slug, place)
      if (term === undefined) isWhole = false
      else if (found.has(term.id)) this.#warnRepeated(slug, place)
      else found.set(term.id, term)
    })
    return isWhole ? [...found.values()] : undefined
  }

  #find(kind: TermKind, identifier: string, place: Place): AnyTerm | undefined {
    const terms = this.#terms[kind]
    const found = terms.find(identifier)
    if (found !== undefined) return found
    // Its own file tells what is wrong: to say it again at every reference would hide that.
    if (terms.isDoubtful(identifier)) return undefined
    const rival = terms.findIgnoringCase(identifier)
    if (this.#settings.references === 'create' && rival === undefined) {
      return this.#create(kind, identifier, place)
    }
    this.#reportUnknown(kind, identifier, place)
    return undefined
  }

  #create(kind: TermKind, slug: string, place: Place): AnyTerm | undefined {
    const problem = identifierProblem(slug)
    const term = createdTerm(this.#workspace, kind, slug)
    if (problem === null && this.#terms[kind].findIgnoringCase(term.id) !== undefined) {
      this.#report(place, {
        code: 'duplicate-identifier',
        message: `The id "${term.id}" that ${JSON.stringify(slug)} would have is the slug of another.`,
        hint: `State \`${kind}/${slug}.md\` with an \`id\` of its own.`,
      })
      return undefined
    }
    if (problem === null) return place.isDraft ? term : this.#terms[kind].add(term)
    this.#report(place, {
      code: 'invalid-identifier',
      message: `${JSON.stringify(slug)} cannot become the slug of ${articled[kind]}: it ${problem}.`,
      hint: `Write a slug, or set \`frontMatter: { ${fieldOf[kind]}: { slugify: true } }\` in the configuration.`,
    })
    return undefined
  }

  #reportUnknown(kind: TermKind, identifier: string, place: Place): void {
    const name = `${kind} ${identifier}`
    const hint = this.#hints.get(name) ?? this.#hintFor(kind, identifier)
    this.#hints.set(name, hint)
    this.#report(place, {
      code: `unknown-${singular[kind]}`,
      message: `${JSON.stringify(identifier)} is not ${articled[kind]}.`,
      hint,
    })
  }

  #hintFor(kind: TermKind, identifier: string): string {
    const terms = this.#terms[kind]
    const named = terms.findNamed(identifier)?.slug
    if (named !== undefined) return `Did you mean "${named}"?`
    const slug = slugify(identifier)
    const example =
      slug === ''
        ? 'Write its slug.'
        : `Add \`${kind}/${slug}.md\`, or \`references: create\` to workspace.yml.`
    // Of thousands of unknown names the first ones are told what is near: the others wait for the next build.
    if (this.#compared > comparisonsMax) return example
    this.#compared += terms.slugs().length
    return didYouMean(identifier, terms.slugs()) ?? example
  }

  #report({ reading, path }: Place, problem: Problem): void {
    this.#problems.report(reading.source, placeOf(reading, path), problem)
  }

  #warnRepeated(slug: string, place: Place): void {
    this.#report(place, {
      code: 'repeated-reference',
      severity: 'warning',
      message: `"${slug}" is named twice; the second is ignored.`,
    })
  }
}

const none: readonly AnyTerm[] = []

/** A name in a post's front matter. */
interface Place {
  readonly reading: Reading
  /** In the front matter; looked up where there is something to report. */
  readonly path: readonly PropertyKey[]
  readonly isDraft: boolean
}

/** Names that are compared to find what was meant, in one workspace; a second of work at most. */
const comparisonsMax = 2_000_000

const singular = { categories: 'category', tags: 'tag', authors: 'author' } as const
const articled = { categories: 'a category', tags: 'a tag', authors: 'an author' } as const
const fieldOf = { categories: 'category', tags: 'tags', authors: 'authors' } as const
