// Rare parts of responses: whole resources in place of the summaries in fields, if `include` names the fields;
// translations of posts and items; statuses; and the form of the vendor's SDKs.
import { digestBytes, joinBytes, sha256, utf8 } from './bytes.ts'
import { readParts, readTerm, statusMember } from './include.ts'
import type { FieldFilter, Reference } from './parameter-values.ts'
import { postLink } from './paths.ts'
import type { ApiRequest, Parameters, Version } from './request.ts'
import { type Json, termKinds } from './resources.ts'
import type { Awaitable, JsonRef, PostPart, Snapshot, Translation } from './snapshot.ts'
import { isVisibleTerm, viewAt } from './visibility.ts'
import type { OnWork } from './work.ts'

/** Returns the snapshot from which a request is answered: that of a point in time, with what the request adds to rows. */
export function snapshotFor(
  request: ApiRequest,
  snapshot: Snapshot,
  now: number,
  onWork?: OnWork,
): Snapshot {
  const { isSdk = false, version, resource, parameters } = request
  const current = withWholeTargets(snapshotAt(snapshot, now, version), parameters, onWork)
  if (isSdk && resource === 'posts') return withPart(current, 'tail', tailWithExtras)
  if (parameters.status === 'published') return current
  return withPart(
    current,
    'item',
    (item, row) => `${item.slice(0, -1)}${statusMember(row, snapshot)}}`,
  )
}

/** Returns a snapshot at a point in time: fields refer to visible resources, and rows name visible translations. */
export function snapshotAt(snapshot: Snapshot, now: number, version: Version): Snapshot {
  const { language, areReferencesLasting, spaces } = snapshot
  if (language === undefined && areReferencesLasting) return snapshot
  const current = [...spaces].map(([name, open]) => {
    let opened: Snapshot | undefined
    const openOnce = async () => (opened ??= snapshotAt(await open(), now, version))
    return [name, openOnce] as const
  })
  const whole = { ...snapshot, spaces: new Map(current) }
  return withTranslations(withVisibleTargets(whole, now), now, version)
}

/**
 * Returns a snapshot in which a part of each post has other JSON, which is made once. Unchanged JSON keeps its digest.
 *
 * @param digestOf returns what stands for other JSON in an ETag. @default the JSON itself
 */
function withPart(
  snapshot: Snapshot,
  part: PostPart,
  change: (json: string, row: number) => Awaitable<string>,
  digestOf: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): Snapshot {
  /** Null for unchanged JSON. */
  const changed = new Map<number, Uint8Array | null>()
  const changeAll = async (refs: readonly JsonRef[]) => {
    const missing = refs.filter((ref) => ref.part === part && !changed.has(ref.ordinal))
    for (const [at, bytes] of (await snapshot.read(missing)).entries()) {
      const row = missing[at]?.ordinal ?? -1
      const json = new TextDecoder().decode(bytes)
      const other = await change(json, row)
      changed.set(row, other === json ? null : utf8(other))
    }
  }
  return {
    ...snapshot,
    read: async (refs) => {
      await changeAll(refs)
      return mapPart(part, refs, await snapshot.read(refs), (json, row) => changed.get(row) ?? json)
    },
    sums: async (refs) => {
      await changeAll(refs)
      return mapPart(part, refs, await snapshot.sums(refs), (sum, row) => {
        const other = changed.get(row)
        return other ? { size: other.length, digest: digestOf(other) } : sum
      })
    },
  }
}

/** Maps the values that belong to a part of posts. @param known a value for each reference */
function mapPart<T>(
  part: PostPart,
  refs: readonly JsonRef[],
  known: readonly T[],
  change: (value: T, row: number) => T,
): readonly T[] {
  return known.map((one, at) => {
    const ref = refs[at]
    return ref?.part === part ? change(one, ref.ordinal) : one
  })
}

/** Returns a snapshot whose fields and filters refer to nothing that is scheduled or has expired. */
function withVisibleTargets(snapshot: Snapshot, now: number): Snapshot {
  const { references, areReferencesLasting } = snapshot
  if (references.length === 0 || areReferencesLasting) return snapshot
  const isVisible = visibility(snapshot, now)
  const visibleFields = (fields: Fields) =>
    mapTargets(fields, references, async (reference, summary) =>
      (await isVisible(reference, summary.id)) ? summary : null,
    )
  const changeTail = (tail: string) => withFields(tail, visibleFields)
  const digestOf = (tail: Uint8Array) => sha256(tail).subarray(0, digestBytes)
  return {
    ...withPart(snapshot, 'tail', changeTail, digestOf),
    select: async (filter, by, among) => {
      const fields: FieldFilter[] = []
      for (const each of filter.fields) {
        const reference = references.find(({ name }) => name === each.name)
        const values: (string | number)[] = []
        for (const id of each.values) {
          // No resource has this slug or id.
          const isKept = reference === undefined || (await isVisible(reference, String(id)))
          values.push(isKept ? id : '\0')
        }
        fields.push({ ...each, values })
      }
      return snapshot.select({ ...filter, fields }, by, among)
    },
  }
}

/** Returns a function that reports whether the resource that a field refers to is visible, by its slug or id. */
function visibility(snapshot: Snapshot, now: number) {
  const views = new Map<string, Snapshot>()
  return async ({ to }: Reference, identifier: string): Promise<boolean> => {
    const view = views.get(to) ?? viewAt(await openSpace(to, snapshot), now)
    views.set(to, view)
    const kind = termKinds.find((each) => each === to)
    if (kind === undefined) return view.findPost(identifier) !== -1
    const term = view.findTerm(kind, identifier)
    return term !== -1 && isVisibleTerm(kind, term, view)
  }
}

async function openSpace(to: string, { spaces }: Snapshot): Promise<Snapshot> {
  const isOfWorkspace = to === 'posts' || termKinds.some((kind) => kind === to)
  const space = await spaces.get(isOfWorkspace ? '' : to)?.()
  if (space === undefined) throw new RangeError(`no resources of ${to}`)
  return space
}

type Fields = Record<string, Json>

/** Returns a tail with other fields. */
async function withFields(tail: string, change: (fields: Fields) => Promise<Fields>) {
  const members = JSON.parse(`{${tail.slice(1)}`)
  return `,${JSON.stringify({ ...members, fields: await change(members.fields) }).slice(1)}`
}

/** Returns fields with other values of references. @param map null leaves a resource out */
export async function mapTargets(
  fields: Fields,
  references: readonly Reference[],
  map: (reference: Reference, summary: Summary) => Promise<Json>,
): Promise<Fields> {
  const mapped = { ...fields }
  for (const reference of references) {
    const value = fields[reference.name] ?? null
    const found: Json[] = []
    for (const summary of [value ?? []].flat() as unknown as readonly Summary[]) {
      const target = await map(reference, summary)
      if (target !== null) found.push(target)
    }
    mapped[reference.name] = Array.isArray(value) ? found : (found[0] ?? null)
  }
  return mapped
}

/**
 * Returns a snapshot that has whole resources in place of the summaries in included fields, one level deep.
 *
 * Cost: one parse of each post without its content, and a read of each target.
 */
function withWholeTargets(
  snapshot: Snapshot,
  parameters: Parameters,
  onWork: OnWork | undefined,
): Snapshot {
  const { targets, select } = parameters
  const included = snapshot.references.filter(({ name }) => targets.includes(name))
  const hasFields = select.length === 0 || select.includes('fields')
  if (included.length === 0 || !hasFields) return snapshot
  let posts = 0
  const wholeOf = async ({ to }: Reference, { id }: Summary): Promise<Json> => {
    const space = await openSpace(to, snapshot)
    const kind = termKinds.find((each) => each === to)
    if (kind) return { ...(await readTerm(kind, space.findTerm(kind, id), space)) } as Fields
    posts += 1
    await onWork?.({ posts })
    return fullRow(space, space.findPost(id), parameters)
  }
  return withPart(snapshot, 'tail', (tail) =>
    withFields(tail, (fields) => mapTargets(fields, included, wholeOf)),
  )
}

async function fullRow(
  space: Snapshot,
  ordinal: number,
  { excludeContent, format }: Parameters,
): Promise<Json> {
  const hasContent = !excludeContent && !space.isData(ordinal)
  const parts: readonly PostPart[] = hasContent ? ['head', 'tail', format] : ['head', 'tail']
  const [[head, tail, content] = []] = await readParts([ordinal], parts, space)
  return JSON.parse(`${head}${content === undefined ? '' : `,"content":${content}`}${tail}`)
}

/** A reference in the JSON of a post. */
type Summary = Readonly<Record<string, Json>> & { readonly id: string }

/** Returns a snapshot whose rows end with `locale` and the visible translations; v1 names none that are private. */
function withTranslations(snapshot: Snapshot, now: number, version: Version): Snapshot {
  const { language } = snapshot
  if (language === undefined) return snapshot
  const { locale, others, rows } = language
  const translationsOf = (row: number) =>
    (rows[row] ?? []).flatMap(([other, id, slug, from, until, own]): Translation[] => {
      const of = others[other]
      const isVisible = from <= now && now < (until ?? Number.POSITIVE_INFINITY)
      if (of === undefined || !isVisible || (of.isHidden && version === 'v1')) return []
      const publishedAt = new Date(Math.max(from, 0)).toISOString()
      const place = { workspace: of.workspaceId, id, slug, publishedAt, url: own }
      const url = of.postLink === null ? null : postLink(of.postLink, place)
      return [{ locale: of.locale, workspaceId: of.workspaceId, id, slug, url }]
    })
  const membersOf = (row: number) => {
    const translations = translationsOf(row).map(({ url, ...translation }) => translation)
    return `,${JSON.stringify({ locale, translations }).slice(1)}`
  }
  const moreOf = (row: number) => utf8(membersOf(row))
  return {
    ...snapshot,
    translationsOf,
    read: async (refs) =>
      mapPart('tail', refs, await snapshot.read(refs), (tail, row) =>
        joinBytes([tail.subarray(0, -1), moreOf(row)]),
      ),
    sums: async (refs) =>
      mapPart('tail', refs, await snapshot.sums(refs), ({ size, digest }, row) => {
        const more = moreOf(row)
        const sum = sha256(joinBytes([digest, more])).subarray(0, digestBytes)
        return { size: size - 1 + more.length, digest: sum }
      }),
  }
}

/** Returns the workspace of a language, in lower case; null if the group has none that the version serves. */
export function workspaceOfLocale(
  locale: string,
  group: string,
  workspaces: ReadonlyMap<string, Localized>,
  version: Version,
): string | null {
  for (const [id, each] of workspaces) {
    const isNamed = each.group === group && each.locale?.toLowerCase() === locale
    if (isNamed && (version === 'v2' || !each.isV1Private)) return id
  }
  return null
}

/** A workspace that may have a language. */
interface Localized {
  readonly locale?: string
  readonly group?: string
  readonly isV1Private: boolean
}

/** Adds the SDKs' members to the tail of a post, `,"featured":…}`. */
function tailWithExtras(tail: string): string {
  const post = JSON.parse(`{${tail.slice(1)}`)
  const attribution = post.attribution === null ? null : { author: post.attribution, url: '' }
  return `,${JSON.stringify({ ...post, attribution, fields: post.fields ?? {} }).slice(1)}`
}
