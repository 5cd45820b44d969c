// What fields of posts and items refer to. Targets are known only when everything is read, so references are settled
// then.
import { type Json, summaryOf, termKinds } from '../api/resources.ts'
import { nearest } from '../content/source.ts'
import type { FieldDefinition, Unsettled } from './custom-fields.ts'
import type { ReadPost, ReadPosts } from './posts.ts'
import type { Problems } from './read-fields.ts'
import type { TermSets } from './references.ts'

/** The resources of a kind. */
interface Target {
  /** By slug and id; null for one that is not visible. */
  readonly known: ReadonlyMap<string, Json>
  /** False if some could not be read. */
  readonly isWhole: boolean
  /** True if posts create some, which may disappear with these posts. */
  readonly isCreated: boolean
}

/** The targets of references in one workspace, by kind. */
export type Targets = ReadonlyMap<string, Target>

/** Returns what is visible at a time. Terms without a file are visible with their first post. */
export function targetsOf(
  terms: TermSets,
  rows: readonly (readonly [kind: string, read: ReadPosts])[],
  isCreated: boolean,
  now: number,
): Targets {
  const targets = new Map<string, Target>()
  const add = (
    kind: string,
    all: readonly Parameters<typeof summaryOf>[0][],
    isVisible: (id: string) => boolean,
    more: Omit<Target, 'known'>,
  ) => {
    const known = new Map<string, Json>()
    for (const one of all) {
      const summary = isVisible(one.id) ? summaryOf(one) : null
      known.set(one.id, summary).set(one.slug, summary)
    }
    targets.set(kind, { known, ...more })
  }
  const shownIn = ({ posts }: ReadPosts) =>
    posts.filter(({ publishedAt }) => publishedAt <= now).map(({ post }) => post)
  const named = rows
    .flatMap(([kind, read]) => (kind === 'posts' ? shownIn(read) : []))
    .flatMap(({ category, tags, authors }) => [category, ...tags, ...authors])
  const names = new Set(named.map(({ id }) => id))
  for (const kind of termKinds) {
    const { sorted, created, isWhole } = terms[kind]
    const hidden = new Set(created.filter((id) => !names.has(id)))
    add(kind, sorted, (id) => !hidden.has(id), { isWhole, isCreated })
  }
  for (const [kind, read] of rows) {
    const { posts, drafts, brokenBodies, isWhole } = read
    const shown = new Set(shownIn(read).map(({ id }) => id))
    const untitled = drafts.map(({ id, slug }) => ({ id, slug, title: '' }))
    const isAll = isWhole && brokenBodies.length === 0
    const all = [...posts.map(({ post }) => post), ...untitled]
    add(kind, all, (id) => shown.has(id), { isWhole: isAll, isCreated: false })
  }
  return targets
}

/** Settles references, and reports repeated values of unique fields. @returns without posts whose target is missing */
export function withTargets(
  read: ReadPosts,
  defined: readonly FieldDefinition[],
  targets: () => Targets,
  problems: Problems,
): ReadPosts {
  const references = defined.filter(({ to }) => to !== '')
  const settle = (posts: readonly ReadPost[]) =>
    posts.filter(({ post: { fields = {} } }) => {
      const found = references.map(({ name }) => {
        const value: unknown = fields[name]
        return [
          name,
          typeof value === 'function' ? resolve(value as Unsettled, targets()) : (value ?? null),
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
    if (isUnique) reportRepeated(name, settled.posts, problems)
  return settled
}

/** @returns undefined if a target does not exist, which has been reported */
function resolve(unsettled: Unsettled, targets: Targets): Json | undefined {
  const [{ name: field, to, type }, names, report] = unsettled()
  const { known = new Map<string, Json>(), isWhole, isCreated } = targets.get(to) ?? {}
  let isFound = true
  const found = names.flatMap(({ name, path }): readonly Json[] => {
    const target = known.get(name)
    if (target !== undefined) return target === null ? [] : [target]
    if (isWhole === false) return []
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

function reportRepeated(field: string, posts: readonly ReadPost[], problems: Problems): void {
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
