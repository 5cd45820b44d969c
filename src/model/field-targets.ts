// The resources to which fields of posts and items may refer.
import { type Json, summaryOf, termKinds } from '../api/resources.ts'
import { nearest } from '../content/source.ts'
import type { Problem } from '../diagnostics.ts'
import type { FieldDefinition } from './custom-fields.ts'
import type { StatedPosts } from './posts.ts'
import type { TermSets } from './terms.ts'

interface Target {
  /** Summaries by slug and id; null for a draft. */
  readonly known: ReadonlyMap<string, Json>
  /** False if some could not be read. */
  readonly isComplete: boolean
  /** True if posts create some resources, which may disappear with these posts. */
  readonly isCreated: boolean
}

/** The targets of references in one workspace, by kind. */
export type Targets = ReadonlyMap<string, Target>

/** Returns the targets of fields. Each response leaves out targets that are not visible at its time. */
export function listTargets(
  terms: TermSets,
  rows: readonly (readonly [kind: string, stated: StatedPosts])[],
  isCreated: boolean,
): Targets {
  type Named = Parameters<typeof summaryOf>[0]
  const knownOf = (named: readonly Named[], drafts: readonly Pick<Named, 'id' | 'slug'>[] = []) => {
    const known = new Map<string, Json>()
    for (const { id, slug } of drafts) known.set(id, null).set(slug, null)
    for (const one of named) known.set(one.id, summaryOf(one)).set(one.slug, summaryOf(one))
    return known
  }
  return new Map([
    ...termKinds.map((kind) => {
      const { sorted, hasErrors } = terms[kind]
      return [kind, { known: knownOf(sorted), isComplete: !hasErrors, isCreated }] as const
    }),
    ...rows.map(([kind, { rows: all, isComplete }]) => {
      const drafts = all.flatMap(({ draft }) => draft ?? [])
      const posts = all.flatMap(({ post, draft }) => (post && !draft ? post.post : []))
      return [kind, { known: knownOf(posts, drafts), isComplete, isCreated: false }] as const
    }),
  ])
}

/** Returns the summary of a target; null if it is left out, undefined for an unknown one, which has been reported. */
export function targetOf(
  { name: field, to }: FieldDefinition,
  name: string,
  targets: Targets | undefined,
  report: (problem: Problem) => void,
): Json | undefined {
  const { known, isComplete, isCreated } = targets?.get(to) ?? {}
  const found = known?.get(name)
  if (found !== undefined) return found
  if (known === undefined || !isComplete) return null
  report({
    severity: isCreated ? 'warning' : 'error',
    code: 'unknown-reference',
    message: `\`${field}\` refers to ${JSON.stringify(name)}, which is not in ${to}.`,
    hint: 'Write a slug or an id.',
    near: () => nearest(name, [...known.keys()]),
  })
  return isCreated ? null : undefined
}
