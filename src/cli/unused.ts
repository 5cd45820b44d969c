// `quarry unused`: prints the names of data that the roots do not need, one per line, for a tool that deletes them.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { readRange } from '../build/disk.ts'
import { UseError } from '../diagnostics.ts'
import { httpStorage } from '../hosts/origin.ts'
import { readRoot, rootName } from '../snapshot/format.ts'
import { DataFiles, isDataName } from '../snapshot/frame.ts'
import { filesOfRoot } from '../snapshot/open.ts'
import type { Storage } from '../snapshot/storage.ts'
import { messageOf, parseSiteUrl } from './settings.ts'

/** Prints the names. @throws UseError, before anything is printed, if a root cannot be read or there are no names */
export async function runUnused(
  roots: readonly string[],
  { names }: { readonly names?: string },
): Promise<void> {
  // Lists names before it reads roots, so that data uploaded in between is not listed.
  const stored = await storedNames(roots, names)
  const needed = new Set<string>()
  for (const root of roots) {
    const storage = storageOf(root)
    try {
      const files = await filesOfRoot(await readRoot(storage), new DataFiles(storage))
      for (const { name } of files) needed.add(name)
    } catch (error) {
      throw new UseError(
        `${root} cannot be read, so nothing can be called unused. ${messageOf(error)}`,
      )
    }
  }
  for (const name of stored) {
    // Other files in the folder must not be deleted.
    const isUnused = isDataName(`data/${name}`) && !needed.has(`data/${name}`)
    if (isUnused) process.stdout.write(`${name}\n`)
  }
}

async function storedNames(
  roots: readonly string[],
  names: string | undefined,
): Promise<readonly string[]> {
  if (names !== undefined) {
    const text = names === '-' ? await readText(process.stdin) : readFileSync(names, 'utf8')
    return text.split(/\r?\n/)
  }
  const [file] = roots.filter((root) => !isUrl(root))
  try {
    if (file !== undefined) return readdirSync(join(dirname(file), 'data'))
  } catch (error) {
    throw new UseError(`${file} is not a root with a data folder next to it. ${messageOf(error)}`)
  }
  throw new UseError('Files at a URL cannot be listed. Pass their names with --names.')
}

function isUrl(root: string): boolean {
  return /^https?:\/\//.test(root)
}

function storageOf(root: string): Storage {
  const authorization = process.env['QUARRY_SITE_AUTHORIZATION'] || undefined
  if (isUrl(root)) return httpStorage({ url: parseSiteUrl(root), authorization })
  const folder = dirname(root)
  return {
    read: (name, ...range) => readRange(name === rootName ? root : join(folder, name), ...range),
  }
}
