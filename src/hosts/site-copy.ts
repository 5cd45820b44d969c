// A copy of the builds at an origin: a folder with the files of a function, which a server follows.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { createFileStorage, readRange, replaceFile } from '../build/disk.ts'
import { readRoot, rootName } from '../snapshot/format.ts'
import { DataFiles, type Frame, isDataName } from '../snapshot/frame.ts'
import { filesOfRoot } from '../snapshot/open.ts'
import { ChangedError, type Storage } from '../snapshot/storage.ts'
import { isEqual } from './origin.ts'

/**
 * Returns a storage. When its root is read, it copies the latest build of an origin, all data before the root.
 *
 * @param folder folder for the files of the function
 */
export function copiedStorage(origin: Storage, folder: string): Storage {
  const files = createFileStorage(folder)
  let copying: Promise<CopiedBuild> | undefined
  let copied: CopiedBuild | undefined
  const copy = async () => {
    copying ??= copyBuild(origin, folder, copied)
    try {
      copied = await copying
    } finally {
      copying = undefined
    }
  }
  return {
    ...files,
    read: async (name, ...range) => {
      if (name === rootName) await copy()
      return files.read(name, ...range)
    },
  }
}

/** A build that was copied. */
interface CopiedBuild {
  readonly root: Uint8Array
  readonly files: readonly Frame[]
}

/** Copies verified data that the folder does not have, then the root. Data of the previous build stays. */
async function copyBuild(
  origin: Storage,
  folder: string,
  before?: CopiedBuild,
): Promise<CopiedBuild> {
  const root = await origin.read(rootName)
  if (before !== undefined && isEqual(root, before.root)) return before
  const fetchFile = async (file: Frame) => {
    // A bad name could be outside the folder.
    if (!isDataName(file.name)) throw new ChangedError(file.name)
    const place = join(folder, file.name)
    if (existsSync(place)) return
    const bytes = await origin.read(file.name)
    await verify(file, bytes)
    replaceFile(place, bytes)
  }
  const read = async (name: string) => {
    await fetchFile({ name, count: 0 })
    return readRange(join(folder, name))
  }
  const parsed = await readRoot({ read: () => root })
  const files = await filesOfRoot(parsed, new DataFiles({ read }))
  await pMap(files, fetchFile, { concurrency: 8 })
  replaceFile(join(folder, rootName), root)
  const needed = new Set([...files, ...(before?.files ?? [])].map(({ name }) => name))
  for (const name of readdirSync(join(folder, 'data')))
    if (!needed.has(`data/${name}`)) rmSync(join(folder, 'data', name))
  return { root, files }
}

/** @throws if bytes do not match the hash in the name */
async function verify(file: Frame, bytes: Uint8Array): Promise<void> {
  const files = new DataFiles({ read: (_, from, to) => bytes.subarray(from, to) }, 0)
  if (file.count === 0) await files.file(file.name)
  else await files.sections(file, [...Array(file.count).keys()], ({ length }) => length)
}
