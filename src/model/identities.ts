// Identities of resources: slug, id and aliases, each unique within a kind.
import { fileStart } from '../diagnostics.ts'
import { deriveId, foldCase, identifierProblem } from './identifier.ts'
import type { Reading } from './read-fields.ts'

/** The owner of an identifier, ignoring case: a resource and the field that states it. */
interface Owner {
  readonly reading: Reading
  readonly field: 'slug' | 'id' | 'alias'
  readonly path: readonly (string | number)[]
}

/** The namespace of one kind in one workspace. */
export class Identities {
  readonly #owners = new Map<string, Owner>()
  readonly #workspace: string
  readonly #kind: string

  constructor(workspace: string, kind: string) {
    this.#workspace = workspace
    this.#kind = kind
  }

  /**
   * Claims the slug, the id and the former slugs of a resource.
   *
   * @param slug already validated @param id the stated id, or undefined to derive it
   * @returns the id; undefined if another resource has one of them, or an alias is its own, which has been reported
   */
  claim(
    reading: Reading,
    slug: string,
    id: string | undefined,
    aliases: readonly string[] = [],
  ): string | undefined {
    const isSlugFree = this.#take(slug, { reading, field: 'slug', path: ['slug'] })
    const finalId = id ?? deriveId(this.#workspace, this.#kind, slug)
    // If the slug is taken, so is the derived id: one problem, reported once.
    const isIdFree =
      (id === undefined && !isSlugFree) ||
      this.#take(finalId, { reading, field: 'id', path: ['id'] })
    const taken = aliases.filter((alias, index) => {
      const owner = { reading, field: 'alias', path: ['aliases', index] } as const
      return aliases.indexOf(alias) === index && !this.#take(alias, owner)
    })
    return isSlugFree && isIdFree && taken.length === 0 ? finalId : undefined
  }

  #take(identifier: string, owner: Owner): boolean {
    const key = foldCase(identifier)
    const other = this.#owners.get(key)
    this.#owners.set(key, other ?? owner)
    const { reading, field, path } = owner
    // Slug and id of one resource may be equal. An alias of its own slug would redirect to itself.
    if (other === undefined || (other.reading === reading && field !== 'alias')) return true
    const place = `${other.reading.file}:${other.reading.placeOf(other.path).line}`
    reading.report(path, {
      code: 'duplicate-identifier',
      message: `The ${field} "${identifier}" is taken by ${place}.`,
      hint: `Slugs and ids of ${this.#kind} must be unique, ignoring case; set another \`${field}\`.`,
    })
    return false
  }
}

/**
 * Validates a slug from a file name, which for an item is a path, or from the title of a row.
 *
 * @returns undefined if it is invalid, which has been reported
 */
export function checkedFileSlug(
  slug: string,
  reading: Reading,
  isRow: boolean = false,
): string | undefined {
  const problem = slug
    .split('/')
    .map(identifierProblem)
    .find((one) => one !== null)
  if (problem === undefined) return slug
  const [at, source, hint] = isRow
    ? [reading.at, 'its title', 'Add `slug: …`.']
    : [fileStart, "the file's name", 'Rename the file or set `slug:` in its front matter.']
  const message = `\`slug\` ${JSON.stringify(slug)}, from ${source}, ${problem}.`
  reading.report(at, { code: 'invalid-identifier', message, hint })
  return undefined
}
