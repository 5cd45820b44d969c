// `quarry cache`: kinds of cached values, with sizes and ages.
import { resolve } from 'node:path'
import { cacheUsage, clearCache, type PackUsage, type RecordGroup } from '../cache/cache-usage.ts'
import { UseError } from '../config.ts'
import { type CommonFlags, readSettings } from './options.ts'
import { formatBytes, formatCount, plural, shortest } from './report.ts'

/** The flags of `quarry cache`. */
export interface CacheFlags extends CommonFlags {
  readonly clear?: boolean
  readonly json?: boolean
}

/**
 * Prints the content of the cache, or removes it. @throws UseError if the cache is disabled, or a file cannot be
 * removed
 */
export async function runCache(flags: CacheFlags): Promise<void> {
  const settings = await readSettings(flags)
  if (settings.cache === null) throw new UseError('The cache is off: there is no folder to read.')
  const folder = resolve(settings.cache)
  const packs = cacheUsage(folder)
  const bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0)
  if (flags.clear === true) {
    const [left] = clearCache(folder)
    if (left !== undefined) throw new UseError(`${left} cannot be removed.`)
    process.stdout.write(`Removed ${formatBytes(bytes)} from ${shortest(folder)}.\n`)
    return
  }
  const kinds = kindsOf(packs)
  const text =
    flags.json === true
      ? JSON.stringify({ folder, bytes, packs: packs.map(packJson), kinds })
      : describe(folder, packs, kinds)
  process.stdout.write(`${text}\n`)
}

interface Kind {
  readonly kind: string
  readonly records: number
  readonly bytes: number
}

/** Kinds of values by a part of their records; the first match decides, as rendered bodies have `text` too. */
const kindNames: readonly (readonly [part: string, kind: string])[] = [
  ['text', 'rendered bodies'],
  ['html', 'bodies with URLs'],
  ['bytes', 'search'],
  ['version', 'search'],
  ['outline', 'front matter'],
  ['files', 'split files'],
  ['workspaces', 'library'],
  ['rows', 'fragments and entity tags'],
  ['sums', 'fragments and entity tags'],
  ['facts', 'images'],
  ['json', 'file times'],
  ['build', 'builds'],
  ['settings', 'builds'],
]

/** Largest first. */
function kindsOf(packs: readonly PackUsage[]): readonly Kind[] {
  const kinds = new Map<string, { kind: string; records: number; bytes: number }>()
  for (const group of packs.flatMap(({ groups }) => groups ?? [])) {
    const kind = kindOf(group)
    const sum = kinds.get(kind) ?? { kind, records: 0, bytes: 0 }
    sum.records += group.records
    sum.bytes += group.bytes
    kinds.set(kind, sum)
  }
  return [...kinds.values()].sort((a, b) => b.bytes - a.bytes)
}

function kindOf({ parts }: RecordGroup): string {
  return kindNames.find(([part]) => parts.includes(part))?.[1] ?? 'other'
}

function packJson({ path, bytes, writtenAt, groups }: PackUsage) {
  const records = groups === null ? null : countOf(groups)
  return { path, bytes, writtenAt: new Date(writtenAt).toISOString(), records }
}

function countOf(groups: readonly RecordGroup[]): number {
  return groups.reduce((sum, { records }) => sum + records, 0)
}

function describe(folder: string, packs: readonly PackUsage[], kinds: readonly Kind[]): string {
  if (packs.length === 0) return `${shortest(folder)} holds no cache.`
  const bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0)
  const records = countOf(packs.flatMap(({ groups }) => groups ?? []))
  return [
    `${shortest(folder)}: ${formatBytes(bytes)}, ${plural(records, 'record')} in ${plural(packs.length, 'file')}`,
    ...kinds.map(
      (kind) =>
        `  ${formatBytes(kind.bytes).padStart(9)}  ${formatCount(kind.records).padStart(9)}  ${kind.kind}`,
    ),
    ...packs.map(describePack),
  ].join('\n')
}

function describePack({ path, bytes, writtenAt, groups }: PackUsage): string {
  const state = groups === null ? ', not readable: the next build removes it' : ''
  const written = new Date(writtenAt).toISOString().slice(0, 19)
  return `  written ${written}Z, ${formatBytes(bytes)}: ${path.split(/[\\/]/).at(-1)}${state}`
}
