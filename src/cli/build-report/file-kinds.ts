// The files of a build by purpose: their number and total size.
import type { FileEntry } from '../../emit/file-entries.ts'

/** Files of one kind. */
export interface FileKind {
  readonly name: string
  readonly files: number
  readonly bytes: number
}

/** Patterns of paths below the output folder; the first match decides. */
const kinds: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /^(?:public|private)\/(v[12])\/[^/]+\/(posts|categories|tags|authors)\//,
    ([, version, resource]) => `${version}: ${resource}`,
  ],
  [/^function\/index\.bin$/, () => 'function: index'],
  [/^function\/([^/]+)\//, ([, folder]) => `function: ${folder}`],
  [/^public\/[^/]+$/, () => 'reference'],
  [/^([^/]+\/[^/]+)\//, ([, folder]) => `${folder}`],
]

/** Returns kinds of files, largest first, then by name. */
export function fileKinds(files: ReadonlyMap<string, FileEntry>): readonly FileKind[] {
  const sums = new Map<string, FileKind>()
  for (const [path, { bytes }] of files) {
    const name = kindOf(path)
    const sum = sums.get(name)
    sums.set(name, { name, files: (sum?.files ?? 0) + 1, bytes: (sum?.bytes ?? 0) + bytes })
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
}

function kindOf(path: string): string {
  for (const [pattern, name] of kinds) {
    const match = pattern.exec(path)
    if (match !== null) return name(match)
  }
  return 'other'
}
