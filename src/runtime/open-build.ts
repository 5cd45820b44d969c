// Opens a build from a storage: its root immediately, the index of each workspace with its first request.
import { parseJson } from '../api/bytes.ts'
import type { KeyRecord } from '../api/keys.ts'
import type { Awaitable, BuildStep, PostOrder, Snapshot } from '../api/snapshot.ts'
import { type Index, type Root, type RootWorkspace, readRoot } from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import type { Storage } from '../snapshot/storage.ts'

/** @param files reader of the storage; builds can share its cache @throws RootError as `readRoot` does */
export async function openBuild(
  storage: Storage,
  files: DataFiles = new DataFiles(storage),
): Promise<ServedSite> {
  const root = await readRoot(storage)
  const { build, openapi, http, workspaces, steps: stepsName } = root
  const steps = openOnce(async () =>
    stepsName === undefined ? [] : parseJson<readonly BuildStep[]>(await files.file(stepsName)),
  )
  const rowsOf = (
    id: string,
    { index, draftIndex, ...rows }: Omit<RootWorkspace, 'id' | 'isV1Private' | 'keys'>,
    siblings: ReadonlyMap<string, ServedRows>,
  ): ServedRows => {
    const { scheduled, fields, references = [], areReferencesLasting = true } = rows
    const history = async () => ({ workspace: id, build, scheduled, steps: await steps() })
    const opened = (name: string, isDraft: boolean) =>
      openOnce(async () => {
        const own = [...siblings].map(([sibling, each]) => {
          return [sibling, isDraft ? each.openDrafts : each.open] as const
        })
        const links = { references, areReferencesLasting, history, spaces: new Map(own) }
        return { ...(await openSnapshot(name, files, fields)), ...links }
      })
    const open = opened(index, false)
    const openDrafts = draftIndex === undefined ? open : opened(draftIndex, true)
    return { ...rows, expiring: rows.expiring ?? 0, open, openDrafts }
  }
  const served = workspaces.map(({ id, isV1Private, keys, ...root }): [string, ServedWorkspace] => {
    const spaces = new Map<string, ServedRows>()
    const rows = rowsOf(id, root, spaces)
    spaces.set('', rows)
    for (const each of root.collections ?? []) spaces.set(each.name, rowsOf(id, each, spaces))
    const singletons = root.singletons && rowsOf(id, root.singletons, spaces)
    const [, ...collections] = spaces
    return [id, { ...rows, isV1Private, collections: new Map(collections), singletons }]
  })
  return {
    build,
    openapi: openOnce(() => files.file(openapi)),
    ...(http && { http }),
    keys: workspaces.flatMap(({ keys }) => keys),
    workspaces: new Map(served),
    steps,
  }
}

/** Milliseconds after which a pending call is repeated, because a host may have stopped the request that made it. */
const reopenMs = 10_000

/** Returns a function that opens a value once. The next call after a failure, or after 10 s, tries again. */
export function openOnce<T>(open: () => Awaitable<T>): () => Awaitable<T> {
  let opened: { readonly value: T } | undefined
  let opening: { readonly since: number; readonly promise: Promise<T> } | undefined
  return () => {
    if (opened !== undefined) return opened.value
    if (opening !== undefined && Date.now() - opening.since < reopenMs) return opening.promise
    const promise = (async () => open())()
    const mine = { since: Date.now(), promise }
    opening = mine
    promise.then(
      (value) => {
        opened = { value }
      },
      () => {
        if (opening === mine) opening = undefined
      },
    )
    return promise
  }
}

/** The workspaces of one build, and the keys of all workspaces. */
export interface ServedSite extends Pick<Root, 'build' | 'http'> {
  readonly keys: readonly KeyRecord[]
  readonly workspaces: ReadonlyMap<string, ServedWorkspace>
  /** The OpenAPI description, as JSON. */
  openapi(): Awaitable<Uint8Array>
  /** Changes of earlier builds, newest first. */
  steps(): Awaitable<readonly BuildStep[]>
}

/** A served workspace. */
export interface ServedWorkspace extends ServedRows, Pick<RootWorkspace, 'isV1Private' | 'group'> {
  /** Collections by name, in order of definition. @default none */
  readonly collections?: ReadonlyMap<string, ServedRows>
  /** @default none */
  readonly singletons?: ServedRows | undefined
}

/** Returns the posts, the items and the singletons of a workspace. */
export function allRows(workspace: ServedWorkspace): readonly ServedRows[] {
  const { collections = new Map(), singletons } = workspace
  return [workspace, ...collections.values(), ...(singletons ? [singletons] : [])]
}

type KnownRows = 'fields' | 'references' | 'locale' | 'hidesTranslations' | 'scheduled' | 'instants'

/** Posts of a workspace, items of a collection, or singletons, in one build. */
export interface ServedRows extends Pick<RootWorkspace, KnownRows> {
  /** Direction of a collection's own order. */
  readonly order?: PostOrder['order']
  readonly expiring: number
  /** Reads the workspace's index on the first call; rejects while it is unreadable. */
  open(): Awaitable<Snapshot & Pick<Index, 'ids' | 'slugs'>>
  /** Reads the index with drafts, or the index without drafts if the build has no drafts. */
  openDrafts(): Awaitable<Snapshot>
}
