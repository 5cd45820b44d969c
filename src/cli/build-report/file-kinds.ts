// The files of a build by what they are for: how many, and how large together.
import type { FileEntry } from '../../emit/file-entries.ts'

/** Files of one kind. */
export interface FileKind {
  readonly name: string
  readonly files: number
  readonly bytes: number
}

/** Kinds by their paths below the output folder; the first that matches. */
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

/** Kinds of files, the largest first; among equals by name. */
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
