// Rare parts of responses: whole resources in place of the summaries in fields, if `include` names the fields;
// translations of posts and items; statuses; and the form of the vendor's SDKs.
import type { ApiResponse, Piece } from './api-response.ts'
import { digestBytes, joinBytes, sha256, utf8 } from './bytes.ts'
import { readTerm, readText, statusMember } from './include.ts'
import type { FieldFilter, Reference } from './parameter-values.ts'
import { postLink } from './paths.ts'
import type { Parameters, Target, Version } from './request.ts'
import { type Json, singular, termKinds } from './resources.ts'
import type { Pairs } from './routes.ts'
import type { JsonRef, PostPart, Snapshot, Translation } from './snapshot.ts'
import { isVisibleTerm, viewAt } from './visibility.ts'
import type { OnWork } from './work.ts'

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

/** Returns a snapshot whose fields refer to nothing that is scheduled or has expired. Cost: a parse of each tail. */
function withVisibleTargets(snapshot: Snapshot, now: number): Snapshot {
  const { references, areReferencesLasting } = snapshot
  if (references.length === 0 || areReferencesLasting) return snapshot
  const isVisible = visibility(snapshot, now)
  /** Null for a tail without invisible references, which keeps its digest. */
  const tails = new Map<number, Uint8Array | null>()
  const readTails = async (refs: readonly JsonRef[]) => {
    const missing = refs.filter((ref) => isTail(ref) && !tails.has(ref.ordinal))
    for (const [at, bytes] of (await snapshot.read(missing)).entries()) {
      const tail = new TextDecoder().decode(bytes)
      const visible = await withFields(tail, (fields) =>
        mapTargets(fields, references, async (reference, summary) =>
          (await isVisible(reference, summary.id)) ? summary : null,
        ),
      )
      tails.set(missing[at]?.ordinal ?? -1, visible === tail ? null : utf8(visible))
    }
  }
  return {
    ...snapshot,
    read: async (refs) => {
      await readTails(refs)
      return mapTails(refs, await snapshot.read(refs), (tail, row) => tails.get(row) ?? tail)
    },
    sums: async (refs) => {
      await readTails(refs)
      return mapTails(refs, await snapshot.sums(refs), (sum, row) => {
        const tail = tails.get(row)
        return tail ? { size: tail.length, digest: sha256(tail).subarray(0, digestBytes) } : sum
      })
    },
  }
}

function isTail(ref?: JsonRef): boolean {
  return ref?.of === 'posts' && ref.part === 'tail'
}

/** Maps the values that belong to tails. @param known a value for each reference */
function mapTails<T>(
  refs: readonly JsonRef[],
  known: readonly T[],
  change: (tail: T, row: number) => T,
): readonly T[] {
  return known.map((one, at) => (isTail(refs[at]) ? change(one, refs[at]?.ordinal ?? -1) : one))
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

/** Returns parameters whose filters find no resource that is invisible. */
export async function visibleFilters(
  parameters: Parameters,
  snapshot: Snapshot,
  now: number,
): Promise<Parameters> {
  const { references, areReferencesLasting } = snapshot
  if (areReferencesLasting) return parameters
  const isVisible = visibility(snapshot, now)
  const fields: FieldFilter[] = []
  for (const filter of parameters.fields) {
    const reference = references.find(({ name }) => name === filter.name)
    const values: (string | number)[] = []
    for (const id of filter.values) {
      // No resource has this slug or id.
      values.push(reference === undefined || (await isVisible(reference, String(id))) ? id : '\0')
    }
    fields.push({ ...filter, values })
  }
  return { ...parameters, fields }
}

/**
 * Replaces the summaries in included fields by the whole resources, one level deep.
 *
 * Cost: one parse of each post without its content, and a read of each target.
 */
export async function withTargets(
  response: ApiResponse,
  parameters: Parameters,
  snapshot: Snapshot,
  onWork?: OnWork,
): Promise<ApiResponse> {
  const included = snapshot.references.filter(({ name }) => parameters.targets.includes(name))
  if (included.length === 0 || response.status !== 200) return response
  let posts = 0
  const wholeFields = (fields: Fields) =>
    mapTargets(fields, included, async ({ to }, { id }) => {
      const space = await openSpace(to, snapshot)
      const kind = termKinds.find((each) => each === to)
      if (kind) return { ...(await readTerm(kind, space.findTerm(kind, id), space)) } as Fields
      posts += 1
      await onWork?.({ posts })
      return fullRow(space, space.findPost(id), parameters)
    })
  const changed = async (piece: Piece): Promise<Piece> => {
    if (typeof piece === 'string') {
      // With `select`, `fields` is a separate piece.
      const [, start, json] = /^([{,]"fields":)(.*)$/s.exec(piece) ?? []
      return json === undefined
        ? piece
        : start + JSON.stringify(await wholeFields(JSON.parse(json)))
    }
    if (piece.of !== 'posts' || piece.part !== 'tail') return piece
    const tail = await readText(snapshot, piece)
    const written = await withFields(tail, wholeFields)
    // An unchanged post keeps its ETag.
    return written === tail ? piece : written
  }
  const body: Piece[] = []
  for (const piece of response.body) body.push(await changed(piece))
  return { ...response, body }
}

async function fullRow(
  space: Snapshot,
  ordinal: number,
  { excludeContent, format }: Parameters,
): Promise<Json> {
  const row = (part: PostPart) => readText(space, { of: 'posts', part, ordinal })
  const hasContent = !excludeContent && !space.isData(ordinal)
  const content = hasContent ? `,"content":${await row(format)}` : ''
  return JSON.parse(`${await row('head')}${content}${await row('tail')}`)
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
      mapTails(refs, await snapshot.read(refs), (tail, row) =>
        joinBytes([tail.subarray(0, -1), moreOf(row)]),
      ),
    sums: async (refs) =>
      mapTails(refs, await snapshot.sums(refs), ({ size, digest }, row) => {
        const more = moreOf(row)
        const sum = sha256(joinBytes([digest, more])).subarray(0, digestBytes)
        return { size: size - 1 + more.length, digest: sum }
      }),
  }
}

/** Returns the workspace of the language that `locale` names; null if the group has none that the version serves. */
export function workspaceOfLocale(
  workspace: string,
  workspaces: ReadonlyMap<string, Localized>,
  version: Version,
  pairs: Pairs,
): string | null {
  const own = workspaces.get(workspace)
  const isOpen = (each?: Localized) => version === 'v2' || each?.isV1Private === false
  const locales = pairs.flatMap(([name, value]) =>
    name === 'locale' && value !== '' ? [value?.toLowerCase()] : [],
  )
  // Requests cannot find out whether a private workspace exists.
  if (locales.length === 0 || !isOpen(own)) return workspace
  for (const [id, each] of workspaces) {
    const locale = each.locale?.toLowerCase()
    const isNamed = each.group === own?.group && locales.every((name) => name === locale)
    if (isNamed && isOpen(each)) return id
  }
  return null
}

/** A workspace that may have a language. */
interface Localized {
  readonly locale?: string
  readonly group?: string
  readonly isV1Private: boolean
}

/** Adds the status of each post after its title, or at its end in the list of a term. @param tailOf maps tails */
export async function withStatuses(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
  tailOf?: (text: string) => string,
): Promise<readonly Piece[]> {
  const textOf = (ref: JsonRef) => readText(snapshot, ref)
  const pieces: Piece[] = []
  for (const piece of body) {
    if (typeof piece === 'string' || piece.of !== 'posts') {
      pieces.push(piece)
      continue
    }
    const { part, ordinal } = piece
    const member = statusMember(ordinal, snapshot)
    if (part === 'item') pieces.push(`${(await textOf(piece)).slice(0, -1)}${member}}`)
    else pieces.push(part === 'tail' && tailOf ? tailOf(await textOf(piece)) : piece)
    if (part === 'head') pieces.push(member)
  }
  return pieces
}

/** Converts a body to the SDKs' form: envelopes of single resources; `status`, `fields` and `attribution` of posts. */
export async function sdkBody(
  { resource, identifier }: Pick<Target, 'resource' | 'identifier'>,
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
): Promise<readonly Piece[]> {
  if (resource === 'posts') return withStatuses(body, snapshot, tailWithExtras)
  const kind = termKinds.find((each) => each === resource)
  return identifier === null || !kind ? body : [`{"${singular[kind]}":`, ...body, '}']
}

/** Adds the SDKs' members to the tail of a post, `,"featured":…}`. */
function tailWithExtras(tail: string): string {
  const post = JSON.parse(`{${tail.slice(1)}`)
  const attribution = post.attribution === null ? null : { author: post.attribution, url: '' }
  return `,${JSON.stringify({ ...post, attribution, fields: post.fields ?? {} }).slice(1)}`
}
