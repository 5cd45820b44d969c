// What fields of posts and items refer to. Targets are known only when everything is read, so references are settled
// then.
import { type Json, summaryOf, termKinds } from '../api/resources.ts'
import { nearest } from '../content/source.ts'
import type { Deferred, FieldDefinition } from './custom-fields.ts'
import type { ParsedPost, ParsedPosts } from './posts.ts'
import type { Problems } from './read-fields.ts'
import type { TermSets } from './references.ts'

/** The resources of a kind. */
interface Target {
  /** By slug and id; null for a draft. */
  readonly known: ReadonlyMap<string, Json>
  /** False if some could not be read. */
  readonly isComplete: boolean
  /** True if posts create some, which may disappear with these posts. */
  readonly isCreated: boolean
}

/** The targets of references in one workspace, by kind. */
export type Targets = ReadonlyMap<string, Target>

/** Returns what fields may refer to. What is not visible yet, or no longer, is left out of each response. */
export function listTargets(
  terms: TermSets,
  rows: readonly (readonly [kind: string, read: ParsedPosts])[],
  isCreated: boolean,
): Targets {
  const targets = new Map<string, Target>()
  type Named = readonly Parameters<typeof summaryOf>[0][]
  const add = (kind: string, all: Named, drafts: Named, more: Omit<Target, 'known'>) => {
    const known = new Map<string, Json>()
    for (const { id, slug } of drafts) known.set(id, null).set(slug, null)
    for (const one of all) known.set(one.id, summaryOf(one)).set(one.slug, summaryOf(one))
    targets.set(kind, { known, ...more })
  }
  for (const kind of termKinds) {
    const { sorted, isComplete } = terms[kind]
    add(kind, sorted, [], { isComplete, isCreated })
  }
  for (const [kind, { posts, drafts, brokenBodies, isComplete }] of rows) {
    const all = posts.map(({ post }) => post)
    const untitled = drafts.map(({ id, slug }) => ({ id, slug, title: '' }))
    const isAll = isComplete && brokenBodies.length === 0
    add(kind, all, untitled, { isComplete: isAll, isCreated: false })
  }
  return targets
}

/** Settles references, and reports repeated values of unique fields. @returns without posts whose target is missing */
export function settleReferences(
  read: ParsedPosts,
  defined: readonly FieldDefinition[],
  targets: () => Targets,
  problems: Problems,
): ParsedPosts {
  const references = defined.filter(({ to }) => to !== '')
  const settle = (posts: readonly ParsedPost[]) =>
    posts.filter(({ post: { fields = {} } }) => {
      const found = references.map(({ name }) => {
        const value: unknown = fields[name]
        return [
          name,
          typeof value === 'function' ? resolve(value as Deferred, targets()) : (value ?? null),
        ] as const
      })
      Object.assign(fields, Object.fromEntries(found))
      return found.every(([, value]) => value !== undefined)
    })
  const settled =
    references.length === 0
      ? read
      : { ...read, posts: settle(read.posts), draftPosts: settle(read.draftPosts) }
  for (const { name, isUnique } of defined)
    if (isUnique) reportDuplicates(name, settled.posts, problems)
  return settled
}

/** @returns undefined if a target does not exist, which has been reported */
function resolve(unsettled: Deferred, targets: Targets): Json | undefined {
  const [{ name: field, to, type }, names, report] = unsettled()
  const { known = new Map<string, Json>(), isComplete, isCreated } = targets.get(to) ?? {}
  let isFound = true
  const found = names.flatMap(({ name, path }): readonly Json[] => {
    const target = known.get(name)
    if (target !== undefined) return target === null ? [] : [target]
    if (isComplete === false) return []
    isFound &&= isCreated === true
    report(path, {
      severity: isCreated ? 'warning' : 'error',
      code: 'unknown-reference',
      message: `\`${field}\` refers to ${JSON.stringify(name)}, which is not in ${to}.`,
      hint: 'Write a slug or an id.',
      near: () => nearest(name, [...known.keys()]),
    })
    return []
  })
  if (!isFound) return undefined
  return type === 'reference' ? (found[0] ?? null) : found
}

function reportDuplicates(field: string, posts: readonly ParsedPost[], problems: Problems): void {
  const owners = new Map<Json, string>()
  for (const { post, body } of posts) {
    const value = post.fields?.[field] ?? null
    if (value === null) continue
    const other = owners.get(value)
    const place = `${body.file}:${body.bodyLine}`
    const message = `The field \`${field}\` has the same value in ${other}.`
    const problem = { code: 'duplicate-value', message, hint: 'Change one of them.' } as const
    const at = { line: body.bodyLine, column: 1 }
    if (other === undefined) owners.set(value, place)
    else problems.reportLine(body.file, at, problem, undefined)
  }
}
