// Identities of resources: slug, id and aliases, each unique within a kind.
import type { ResourceKind } from '../api/resources.ts'
import { fileStart, type Position } from '../diagnostics.ts'
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
  readonly #pathSlugOf: ((file: string) => string) | undefined

  /** @param pathSlugOf slug of a file's whole path, where slugs come from names only */
  constructor(
    workspace: string,
    kind: ResourceKind,
    problems: Problems,
    pathSlugOf?: (file: string) => string,
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
    const taken = aliases.filter((alias, index) => {
      if (aliases.indexOf(alias) < index) return false
      return !this.#take(alias, { reading, field: 'aliases', index })
    })
    return taken.length === 0
  }

  #take(identifier: string, owner: Owner): boolean {
    const key = foldCase(identifier)
    const other = this.#owners.get(key)
    this.#owners.set(key, other ?? owner)
    const { reading, field } = owner
    // Slug and id of one resource may be equal. An alias of its own slug would redirect to itself.
    if (other === undefined || (other.reading === reading && field !== 'aliases')) return true
    const name = field === 'aliases' ? 'alias' : field
    this.#problems.report(reading.source, placeIn(owner), {
      code: 'duplicate-identifier',
      message: `The ${name} "${identifier}" is taken by ${other.reading.source.file}:${placeIn(other).line}.`,
      hint: `Slugs and ids of ${this.#kind} must be unique, ignoring case; set another \`${name}\`.${this.#pathHint(owner, other)}`,
    })
    return false
  }

  /** @returns empty if whole paths would give the same slug, or a slug does not come from a file name */
  #pathHint(...owners: readonly Owner[]): string {
    const pathSlugOf = this.#pathSlugOf
    const isFromFileName = ({ reading, field }: Owner) =>
      field === 'slug' && !reading.fields.has('slug')
    if (pathSlugOf === undefined || !owners.every(isFromFileName)) return ''
    const slugs = owners.map(({ reading }) => slugify(pathSlugOf(reading.source.file)))
    return slugs[0] === slugs[1]
      ? ''
      : " `frontMatter: { posts: { slug: { derive: 'path' } } }` in the configuration derives slugs from whole paths."
  }
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
  problems.report(source, fileStart, {
    code: 'invalid-identifier',
    message: `\`slug\` ${JSON.stringify(slug)}, from the file's name, ${problem}.`,
    hint: 'Rename the file or set `slug:` in its front matter.',
  })
  return undefined
}
