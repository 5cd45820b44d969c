// The identity of resources: slug and id of each, and that no identifier means two of one kind.
import type { ResourceKind } from '../api/resources.ts'
import type { Position } from '../diagnostics.ts'
import { deriveId, foldCase, identifierProblem, slugify } from './identifier.ts'
import type { Problems, Source } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'

/** The meaning of one identifier, without regard to case: a resource, by the field that says so. */
interface Owner {
  readonly reading: Reading
  readonly field: 'slug' | 'id' | 'aliases'
  /** The index of the alias. */
  readonly index?: number
}

/** The name space of one kind in one workspace. */
export class Identities {
  readonly #owners = new Map<string, Owner>()
  readonly #workspace: string
  readonly #kind: ResourceKind
  readonly #problems: Problems
  readonly #pathSlugOf: PathSlug | undefined

  /** @param pathSlugOf the slug that a file's whole path gives, where its name alone gives slugs */
  constructor(
    workspace: string,
    kind: ResourceKind,
    problems: Problems,
    pathSlugOf?: PathSlug | undefined,
  ) {
    this.#pathSlugOf = pathSlugOf
    this.#workspace = workspace
    this.#kind = kind
    this.#problems = problems
  }

  /**
   * Claims a resource's slug and id.
   *
   * @param slug checked already @param id the stated one, or undefined to derive it
   * @returns the id; undefined when another resource has the slug or id, which has been reported
   */
  claim(slug: string, id: string | undefined, reading: Reading): string | undefined {
    const isSlugFree = this.#take(slug, { reading, field: 'slug' })
    // The id that a slug gives is taken when the slug is: one problem, reported once.
    if (id === undefined && !isSlugFree) return undefined
    const finalId = id ?? deriveId(this.#workspace, this.#kind, slug)
    const isIdFree = this.#take(finalId, { reading, field: 'id' })
    return isSlugFree && isIdFree ? finalId : undefined
  }

  /**
   * Claims the slugs that a resource had before.
   *
   * @returns false when a resource has one of them, be it the same resource, which has been reported
   */
  claimAliases(aliases: readonly string[], reading: Reading): boolean {
    const taken = aliases.filter((alias, index) => {
      if (aliases.indexOf(alias) < index) return false
      return !this.#take(alias, { reading, field: 'aliases', index })
    })
    return taken.length === 0
  }

  #take(identifier: string, owner: Owner): boolean {
    const key = foldCase(identifier)
    const other = this.#owners.get(key)
    if (other === undefined) {
      this.#owners.set(key, owner)
      return true
    }
    const { reading, field } = owner
    // A resource whose slug and id are the same text still has one meaning. An alias would lead to itself.
    if (other.reading === reading && field !== 'aliases') return true
    const taken = wordOf(other)
    const name = field === 'aliases' ? 'alias' : field
    this.#problems.report(reading.source, placeIn(owner), {
      code: 'duplicate-identifier',
      message: `The ${name} "${identifier}" is taken by ${taken}.`,
      hint: `Slugs and ids of ${this.#kind} are unique, without regard to case; set another \`${name}\`.${this.#pathHint(owner, other)}`,
    })
    return false
  }

  /** @returns empty where whole paths would give the same slug, or no slug comes from a file's name */
  #pathHint(...owners: readonly Owner[]): string {
    const pathSlugOf = this.#pathSlugOf
    if (pathSlugOf === undefined || !owners.every(isFromFileName)) return ''
    const slugs = owners.map(({ reading }) => slugify(pathSlugOf(reading.source.file)))
    return new Set(slugs).size < owners.length ? '' : PATH_HINT
  }
}

type PathSlug = (file: string) => string

const PATH_HINT =
  " `frontMatter: { posts: { slug: { derive: 'path' } } }` in the configuration makes slugs of whole paths."

function isFromFileName({ reading, field }: Owner): boolean {
  return field === 'slug' && !reading.fields.has('slug')
}

/** `acme/posts/first.md:2` */
function wordOf(owner: Owner): string {
  return `${owner.reading.source.file}:${placeIn(owner).line}`
}

function placeIn({ reading, field, index }: Owner): Position {
  return placeOf(reading, index === undefined ? [field] : [field, index])
}

/**
 * A slug that a file's name gives, checked.
 *
 * @returns undefined when it cannot be one, which has been reported
 */
export function checkedFileSlug(
  slug: string,
  source: Source,
  problems: Problems,
): string | undefined {
  const problem = identifierProblem(slug)
  if (problem === null) return slug
  problems.report(
    source,
    { line: 1, column: 1 },
    {
      code: 'invalid-identifier',
      message: `\`slug\` ${JSON.stringify(slug)}, from the file's name, ${problem}.`,
      hint: 'Rename the file or set `slug:` in its front matter.',
    },
  )
  return undefined
}
