// The files of an output folder, and their content for comparison with another one.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../../src/build/output.ts'

/** Returns the files, sorted, without those that are kept only for readers of an older build. */
export function filesIn(out: string): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  const isKept = (path: string) => /^(?:function|public\/site)\/.+\//.test(path)
  const own = listFiles(out).filter((path) => !isKept(path) || path in files)
  return own.sort()
}

/** Returns the hash of every file by path. */
export function contentsOf(out: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    filesIn(out).map((path) => {
      const bytes = readFileSync(join(out, path))
      return [path, hash('sha256', bytes)]
    }),
  )
}
