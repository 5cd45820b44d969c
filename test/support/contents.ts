// What stands in an output folder, to be compared with another one.
// Knows nothing of how it came there.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../../src/build/output.ts'

/** The hash of every file, by path; less what is only kept for functions that run an older build. */
export function contentsOf(out: string): Readonly<Record<string, string>> {
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  const own = listFiles(out).filter((path) => !/^function\/.+\//.test(path) || path in files)
  return Object.fromEntries(
    own.sort().map((path) => {
      const bytes = readFileSync(join(out, path))
      return [path, createHash('sha256').update(bytes).digest('hex')]
    }),
  )
}
