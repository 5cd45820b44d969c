// Opens a build from a storage: its root at once, the index of each workspace with its first request.
import { parseJson } from '../api/bytes.ts'
import type { Awaitable, BuildStep } from '../api/snapshot.ts'
import { type RootWorkspace, readRoot } from '../snapshot/format.ts'
import { DataFiles } from '../snapshot/frame.ts'
import { openSnapshot } from '../snapshot/open.ts'
import type { Storage } from '../snapshot/storage.ts'
import type { ServedSite, ServedWorkspace } from './site.ts'

/**
 * Opens the build in a storage.
 *
 * @param files of the storage, with their cache, which builds can share. @default a cache of 32 MiB
 * @throws RootError when the root is damaged, or belongs to another version of quarry
 */
export async function openBuild(
  storage: Storage,
  files: DataFiles = new DataFiles(storage),
): Promise<ServedSite> {
  const root = await readRoot(storage)
  const { build, openapi, limitAll, http, workspaces, steps: stepsName } = root
  const steps = openedOnce(async () =>
    stepsName === undefined ? [] : parseJson<readonly BuildStep[]>(await files.file(stepsName)),
  )
  const opened = ({ id, scheduled, fields }: RootWorkspace, index: string) => {
    const history = async () => ({ workspace: id, build, scheduled, steps: await steps() })
    return openedOnce(async () => ({ ...(await openSnapshot(index, files, fields)), history }))
  }
  const served = workspaces.map((workspace): [string, ServedWorkspace] => {
    const { id, isV1Private, scheduled, instants, index, draftIndex } = workspace
    const { expiring = 0, fields = [] } = workspace
    const open = opened(workspace, index)
    const openDrafts = draftIndex === undefined ? open : opened(workspace, draftIndex)
    return [id, { isV1Private, scheduled, expiring, instants, fields, open, openDrafts }]
  })
  return {
    build,
    openapi: openedOnce(() => files.file(openapi)),
    limitAll,
    http,
    keys: workspaces.flatMap(({ keys }) => keys),
    workspaces: new Map(served),
    steps,
  }
}

/** Milliseconds after which a call begins again: a host may have stopped the request that began. */
const patience = 10_000

/** Opens with the first call and keeps the value. The next call after a failure, or after 10 s, begins again. */
export function openedOnce<T>(open: () => Awaitable<T>): () => Awaitable<T> {
  let opened: { readonly value: T } | undefined
  let opening: { readonly since: number; readonly promise: Promise<T> } | undefined
  return () => {
    if (opened !== undefined) return opened.value
    if (opening !== undefined && Date.now() - opening.since < patience) return opening.promise
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
