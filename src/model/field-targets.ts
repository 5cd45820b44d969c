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
  posts: StatedPosts,
  items: readonly (readonly [collection: { readonly name: string }, stated: StatedPosts])[],
  isCreated: boolean,
): Targets {
  type Named = Parameters<typeof summaryOf>[0]
  const entriesOf = (one: Named, isHidden: boolean): [string, Json][] => {
    const summary = isHidden ? null : summaryOf(one)
    return [one.id, one.slug].map((name) => [name, summary])
  }
  return new Map([
    ...termKinds.map((kind) => {
      const { sorted, hasErrors } = terms[kind]
      const known = new Map(sorted.flatMap((term) => entriesOf(term, false)))
      return [kind, { known, isComplete: !hasErrors, isCreated }] as const
    }),
    ...[[{ name: 'posts' }, posts] as const, ...items].map(([{ name }, { rows, isComplete }]) => {
      const known = new Map(
        rows.flatMap(([{ post, hidden }]) => entriesOf(post, hidden !== undefined)),
      )
      return [name, { known, isComplete, isCreated: false }] as const
    }),
  ])
}

/** Returns the summary of a target; null if it is left out, or unknown, which has been reported. */
export function targetOf(
  { name: field, to }: FieldDefinition,
  name: string,
  targets: Targets | undefined,
  report: (problem: Problem) => void,
): Json {
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
  return null
}
