// Identities of resources: slug, id and aliases, each unique within a kind.
import type { ResourceKind } from '../api/resources.ts'
import type { Position } from '../diagnostics.ts'
import { deriveId, foldCase, identifierProblem, slugify } from './identifier.ts'
import type { Problems, Source } from './problems.ts'
import { placeOf, type Reading } from './read-fields.ts'

/** The owner of an identifier, ignoring case: a resource and the field that states it. */
interface Owner {
  readonly reading: Reading
  readonly field: 'slug' | 'id' | 'aliases'
  /** Index of the alias. */
  readonly index?: number
}

/** The namespace of one kind in one workspace. */
export class Identities {
  readonly #owners = new Map<string, Owner>()
  readonly #workspace: string
  readonly #kind: ResourceKind
  readonly #problems: Problems
  readonly #pathSlugOf: PathSlug | undefined

  /** @param pathSlugOf slug of a file's whole path, where slugs come from names only */
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
   * Claims the slug and id of a resource.
   *
   * @param slug already validated @param id the stated id, or undefined to derive it
   * @returns the id; undefined if another resource has the slug or id, which has been reported
   */
  claim(slug: string, id: string | undefined, reading: Reading): string | undefined {
    const isSlugFree = this.#take(slug, { reading, field: 'slug' })
    // If the slug is taken, so is the derived id: one problem, reported once.
    if (id === undefined && !isSlugFree) return undefined
    const finalId = id ?? deriveId(this.#workspace, this.#kind, slug)
    const isIdFree = this.#take(finalId, { reading, field: 'id' })
    return isSlugFree && isIdFree ? finalId : undefined
  }

  /**
   * Claims the former slugs of a resource.
   *
   * @returns false if one of them is taken, even by the same resource, which has been reported
   */
  claimAliases(aliases: readonly string[], reading: Reading): boolean {
    const seen = new Set<string>()
    const duplicates = aliases.filter((alias, index) => {
      if (seen.size === seen.add(alias).size) return false
      return !this.#take(alias, { reading, field: 'aliases', index })
    })
    return duplicates.length === 0
  }

  #take(identifier: string, owner: Owner): boolean {
    const key = foldCase(identifier)
    const other = this.#owners.get(key)
    if (other === undefined) {
      this.#owners.set(key, owner)
      return true
    }
    const { reading, field } = owner
    // Slug and id of one resource may be equal. An alias of its own slug would redirect to itself.
    if (other.reading === reading && field !== 'aliases') return true
    const otherPlace = wordOf(other)
    const name = field === 'aliases' ? 'alias' : field
    this.#problems.report(reading.source, placeIn(owner), {
      code: 'duplicate-identifier',
      message: `The ${name} "${identifier}" is taken by ${otherPlace}.`,
      hint: `Slugs and ids of ${this.#kind} must be unique, ignoring case; set another \`${name}\`.${this.#pathHint(owner, other)}`,
    })
    return false
  }

  /** @returns empty if whole paths would give the same slug, or a slug does not come from a file name */
  #pathHint(...owners: readonly Owner[]): string {
    const pathSlugOf = this.#pathSlugOf
    if (pathSlugOf === undefined || !owners.every(isFromFileName)) return ''
    const slugs = owners.map(({ reading }) => slugify(pathSlugOf(reading.source.file)))
    return new Set(slugs).size < owners.length ? '' : PATH_HINT
  }
}

type PathSlug = (file: string) => string

const PATH_HINT =
  " `frontMatter: { posts: { slug: { derive: 'path' } } }` in the configuration derives slugs from whole paths."

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
 * Validates a slug from a file name.
 *
 * @returns undefined if it is invalid, which has been reported
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
