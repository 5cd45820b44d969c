// What few responses have: with `include` and the names of fields, the whole resources that they refer to, in place of
// their summaries; the translations of posts and items; statuses, and the form of the vendor's SDKs.
import type { ApiResponse, Piece } from './api-response.ts'
import { digestBytes, joinBytes, sha256, utf8 } from './bytes.ts'
import { statusMember } from './include.ts'
import type { FieldFilter, Reference } from './parameter-values.ts'
import type { OnWork } from './parameters.ts'
import { postLink } from './paths.ts'
import type { Parameters, Target, Version } from './request.ts'
import { type Json, type TermKind, termKinds } from './resources.ts'
import type { Pairs } from './routes.ts'
import type { JsonRef, PostPart, Snapshot, Translation } from './snapshot.ts'
import { isVisibleTerm, viewAt } from './visibility.ts'

/**
 * Replaces the summaries in included fields by the whole resources, one level deep. A resource that has become invisible
 * since the build is left out of all fields.
 *
 * Cost: one parse of each post without its content, and a read of each target.
 */
export async function withTargets(
  response: ApiResponse,
  parameters: Parameters,
  snapshot: Snapshot,
  now: number,
  onWork?: OnWork,
): Promise<ApiResponse> {
  if ((snapshot.references ?? []).length === 0 || response.status !== 200) return response
  const inclusion = { parameters, snapshot, now, onWork, visible: new Map(), count: 0 }
  const body: Piece[] = []
  for (const piece of response.body) body.push(await replaced(piece, inclusion))
  return { ...response, body }
}

/** Returns parameters whose filters find no resource that has become invisible since the build. */
export async function visibleFilters(
  parameters: Parameters,
  snapshot: Snapshot,
  now: number,
): Promise<Parameters> {
  const { references = [], areReferencesLasting = true } = snapshot
  if (areReferencesLasting) return parameters
  const bare = { ...parameters, targets: [] }
  const inclusion = { parameters: bare, snapshot, now, visible: new Map(), count: 0 }
  const fields: FieldFilter[] = []
  for (const filter of parameters.fields) {
    const reference = references.find(({ name }) => name === filter.name)
    const values: (string | number)[] = []
    for (const id of filter.values) {
      const target = reference && (await targetOf(reference, { id: String(id) }, inclusion))
      // Nothing has this text.
      values.push(target === null ? '\0' : id)
    }
    fields.push({ ...filter, values })
  }
  return { ...parameters, fields }
}

/** How a request includes resources at a point in time. */
interface Inclusion {
  readonly parameters: Parameters
  readonly snapshot: Snapshot
  readonly now: number
  readonly onWork?: OnWork | undefined
  /** The visible part of each space, which costs a pass over its rows once one of them has expired. */
  readonly visible: Map<Snapshot, Snapshot>
  /** Number of resources that were read. */
  count: number
}

async function replaced(piece: Piece, inclusion: Inclusion): Promise<Piece> {
  if (typeof piece === 'string') {
    // One of the keys that `select` names.
    const [, start, json] = /^([{,]"fields":)(.*)$/s.exec(piece) ?? []
    if (json === undefined) return piece
    return start + JSON.stringify(await wholeFields(JSON.parse(json), inclusion))
  }
  if (piece.of !== 'posts' || piece.part !== 'tail') return piece
  const tail = await read(inclusion.snapshot, piece)
  const members: Record<string, Json> = JSON.parse(`{${tail.slice(1)}`)
  const fields = await wholeFields(members['fields'] as Record<string, Json>, inclusion)
  const written = `,${JSON.stringify({ ...members, fields }).slice(1)}`
  // An unchanged post keeps its ETag.
  return written === tail ? piece : written
}

async function wholeFields(
  fields: Record<string, Json>,
  inclusion: Inclusion,
): Promise<Record<string, Json>> {
  const whole = { ...fields }
  for (const reference of inclusion.snapshot.references ?? []) {
    const value = fields[reference.name] ?? []
    const found: Json[] = []
    for (const summary of [value].flat() as unknown as readonly Summary[]) {
      const target = await targetOf(reference, summary, inclusion)
      if (target !== null) found.push(target)
    }
    whole[reference.name] = Array.isArray(fields[reference.name]) ? found : (found[0] ?? null)
  }
  return whole
}

/** The JSON of a resource, or its summary; null if it is not visible. */
async function targetOf(
  { name, to }: Reference,
  summary: Summary,
  inclusion: Inclusion,
): Promise<Json> {
  const { parameters, snapshot, now, visible } = inclusion
  const isWhole = parameters.targets.includes(name)
  const kind = termKinds.find((each) => each === to)
  const isOfWorkspace = kind !== undefined || to === 'posts'
  const space = await snapshot.spaces?.get(isOfWorkspace ? '' : to)?.()
  // A build has no spaces, and what it names is visible.
  if (space === undefined) return summary
  const view = visible.get(space) ?? viewAt(space, now)
  visible.set(space, view)
  const ordinal = kind ? view.findTerm(kind, summary.id) : view.findPost(summary.id)
  if (ordinal === -1 || (kind && !isVisibleTerm(kind, ordinal, view))) return null
  if (!isWhole) return summary
  if (kind) return JSON.parse(`${await read(space, { of: kind, part: 'resource', ordinal })}}`)
  return wholeRow(space, ordinal, inclusion)
}

async function wholeRow(space: Snapshot, ordinal: number, inclusion: Inclusion): Promise<Json> {
  const { parameters, onWork } = inclusion
  inclusion.count++
  await onWork?.({ posts: inclusion.count })
  const row = (part: PostPart) => read(space, { of: 'posts', part, ordinal })
  const hasContent = !parameters.excludeContent && space.isData?.(ordinal) !== true
  const content = hasContent ? `,"content":${await row(parameters.format)}` : ''
  const whole = JSON.parse(`${await row('head')}${content}${await row('tail')}`)
  // What it names may have become invisible, too.
  if (space.areReferencesLasting !== false) return whole
  const bare = { ...parameters, targets: [] }
  const inner = { ...inclusion, parameters: bare, snapshot: space, onWork: undefined }
  return { ...whole, fields: await wholeFields(whole.fields, inner) }
}

async function read(snapshot: Pick<Snapshot, 'read'>, ref: JsonRef): Promise<string> {
  const [bytes] = await snapshot.read([ref])
  return new TextDecoder().decode(bytes)
}

/** A reference as a post has it. */
interface Summary {
  readonly [key: string]: Json
  readonly id: string
}

/** Returns a snapshot whose rows end with `locale` and the visible translations; v1 names none that are private. */
export function withTranslations(snapshot: Snapshot, now: number, version: Version): Snapshot {
  const { language, spaces } = snapshot
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
  /** Changes what is known of tails by what they end with. */
  const withTails = <T>(
    refs: readonly JsonRef[],
    known: readonly T[],
    change: (tail: T, more: Uint8Array) => T,
  ) =>
    known.map((one, at) => {
      const ref = refs[at]
      const isTail = ref?.of === 'posts' && ref.part === 'tail'
      return isTail ? change(one, utf8(membersOf(ref.ordinal))) : one
    })
  const translated = [...(spaces ?? [])].map(([name, open]) => {
    let opened: Snapshot | undefined
    const openOnce = async () => (opened ??= withTranslations(await open(), now, version))
    return [name, openOnce] as const
  })
  return {
    ...snapshot,
    ...(spaces && { spaces: new Map(translated) }),
    translationsOf,
    read: async (refs) =>
      withTails(refs, await snapshot.read(refs), (tail, more) =>
        joinBytes([tail.subarray(0, -1), more]),
      ),
    sums: async (refs) =>
      withTails(refs, await snapshot.sums(refs), ({ size, digest }, more) => ({
        size: size - 1 + more.length,
        digest: sha256(joinBytes([digest, more])).subarray(0, digestBytes),
      })),
  }
}

/** Returns the workspace of the language that `locale` names; null if the group has none that the version serves. */
export function workspaceOfLocale(
  workspace: string,
  workspaces: ReadonlyMap<string, Languaged>,
  version: Version,
  pairs: Pairs,
): string | null {
  const own = workspaces.get(workspace)
  const isOpen = (each?: Languaged) => version === 'v2' || each?.isV1Private === false
  const locales = pairs.flatMap(([name, value]) =>
    name === 'locale' && value !== '' ? [value?.toLowerCase()] : [],
  )
  // A private workspace is unknown, whatever the request names.
  if (locales.length === 0 || !isOpen(own)) return workspace
  for (const [id, each] of workspaces) {
    const locale = each.locale?.toLowerCase()
    const isNamed = each.group === own?.group && locales.every((name) => name === locale)
    if (isNamed && isOpen(each)) return id
  }
  return null
}

/** A workspace that may have a language. */
interface Languaged {
  readonly locale?: string
  readonly group?: string
  readonly isV1Private: boolean
}

/** Adds the status of each post after its title, or at the end of one in a list. @param tailOf maps its tail */
export async function withStatuses(
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
  tailOf?: (text: string) => string,
): Promise<readonly Piece[]> {
  const textOf = (ref: JsonRef) => read(snapshot, ref)
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

/** Envelope keys of single resources. */
const wrappings: Readonly<Record<TermKind, string>> = {
  categories: 'category',
  tags: 'tag',
  authors: 'author',
}

/** Converts a body to the SDKs' form: envelopes of single resources; `status`, `fields` and `attribution` of posts. */
export async function sdkBody(
  { resource, identifier }: Pick<Target, 'resource' | 'identifier'>,
  body: readonly Piece[],
  snapshot: Pick<Snapshot, 'drafts' | 'read'>,
): Promise<readonly Piece[]> {
  if (resource === 'posts') return withStatuses(body, snapshot, tailWithExtras)
  const wrapping = wrappings[resource as TermKind]
  return identifier === null || wrapping === undefined ? body : [`{"${wrapping}":`, ...body, '}']
}

/** @param tail `,"featured":…}` */
function tailWithExtras(tail: string): string {
  const post = JSON.parse(`{${tail.slice(1)}`)
  const attribution = post.attribution === null ? null : { author: post.attribution, url: '' }
  return `,${JSON.stringify({ ...post, attribution, fields: post.fields ?? {} }).slice(1)}`
}
