// The properties and sweeps of the short suites with all their cases.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { describe, expect, it } from 'vitest'
import { hasAllCases } from './support/cases.ts'

const folder = import.meta.dirname
const files = fastGlob
  .sync('**/*.test.ts', { cwd: folder, ignore: ['**/*.long.test.ts'] })
  .filter((file) => isSampled(readFileSync(join(folder, file), 'utf8')))
  .sort()

it('tries all cases', () => {
  expect(hasAllCases).toBe(true)
  expect(files).toContain('query/fold.test.ts')
})

describe.each(files)('%s', async (file) => {
  await import(join(folder, file))
})

/** True for a suite that tries fewer cases in the short project. */
function isSampled(text: string): boolean {
  return /\/(fast-check|cases)\.ts'/.test(text)
}
