// What fields of posts and items refer to. Targets are known only when everything is read, so references are settled
// then.
import { type Json, summaryOf } from '../api/resources.ts'
import { nearest } from '../content/source.ts'
import { type FieldDefinition, Unsettled } from './custom-fields.ts'
import type { ReadPost } from './posts.ts'

/** The resources of a kind, by slug and id; null for one that is not visible. */
type Known = Map<string, Json>

type Named = Parameters<typeof summaryOf>[0]

/** The targets of references in one workspace. */
export class Targets {
  readonly #known = new Map<string, Known>()
  /** Kinds with resources that could not be read. */
  readonly #partial = new Set<string>()
  /** Kinds whose resources may disappear with the posts that create them. */
  readonly #created = new Set<string>()

  /**
   * Adds the resources of a kind.
   *
   * @param isWhole false if some could not be read
   * @param isCreated true if posts create some
   * @param isVisible false for those that exist, and must not be named
   */
  add(
    kind: string,
    all: readonly Named[],
    {
      isWhole,
      isCreated = false,
      isVisible,
    }: { isWhole: boolean; isCreated?: boolean; isVisible: (one: Named) => boolean },
  ): void {
    const known: Known = new Map()
    for (const one of all) {
      const summary = isVisible(one) ? summaryOf(one) : null
      known.set(one.id, summary).set(one.slug, summary)
    }
    this.#known.set(kind, known)
    if (!isWhole) this.#partial.add(kind)
    if (isCreated) this.#created.add(kind)
  }

  /**
   * Replaces every reference in the fields of posts by its target. A target that is not visible is left out.
   *
   * @returns the posts whose references all exist; the others have been reported
   */
  settle(posts: readonly ReadPost[]): readonly ReadPost[] {
    return posts.filter(({ post: { fields } }) => fields === undefined || this.#settleIn(fields))
  }

  #settleIn(container: object): boolean {
    let isWhole = true
    for (const [key, value] of Object.entries(container)) {
      if (value instanceof Unsettled) {
        const settled = this.#resolve(value)
        if (settled === undefined) isWhole = false
        else Object.assign(container, { [key]: settled })
      } else if (typeof value === 'object' && value !== null) {
        isWhole = this.#settleIn(value) && isWhole
      }
    }
    return isWhole
  }

  #resolve({ given: [definition, names, report] }: Unsettled): Json | undefined {
    const { name: field, to, type } = definition
    const known = this.#known.get(to) ?? new Map<string, Json>()
    let isWhole = true
    const found = names.flatMap(({ name, path }): readonly Json[] => {
      const target = known.get(name)
      if (target !== undefined) return target === null ? [] : [target]
      if (this.#partial.has(to)) return []
      const isLeftOut = this.#created.has(to)
      isWhole &&= isLeftOut
      report(path, {
        severity: isLeftOut ? 'warning' : 'error',
        code: 'unknown-reference',
        message: `\`${field}\` refers to ${JSON.stringify(name)}, which is not in ${to}.`,
        hint: 'Write a slug or an id.',
        near: () => nearest(name, [...known.keys()]),
      })
      return []
    })
    if (!isWhole) return undefined
    return type === 'reference' ? (found[0] ?? null) : found
  }
}

/** Reports values that two posts have of a field that is unique. */
export function checkUnique(
  fields: readonly FieldDefinition[],
  posts: readonly ReadPost[],
  report: (post: ReadPost, field: string, other: ReadPost) => void,
): void {
  for (const { name, isUnique } of fields) {
    if (!isUnique) continue
    const owners = new Map<Json, ReadPost>()
    for (const post of posts) {
      const value = post.post.fields?.[name] ?? null
      if (value === null) continue
      const other = owners.get(value)
      if (other === undefined) owners.set(value, post)
      else report(post, name, other)
    }
  }
}
