// Small sites of each generator: the input, and what an import makes of it. UPDATE=1 writes the outcome.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../../../test/support/command-call.ts'
import { emptyFolder } from '../../../test/support/empty-folder.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
/** Flags of a site that needs some. */
const flags: Readonly<Record<string, readonly string[]>> = { eleventy: ['--keep-unknown'] }

describe('a site is imported, and builds', () => {
  it.each(readdirSync(fixtures))('%s', async (generator) => {
    const folder = emptyFolder()
    const input = join(fixtures, generator, 'input')
    const expected = join(fixtures, generator, 'expected')
    const words = ['import', generator, input, '--workspace', 'blog', ...(flags[generator] ?? [])]
    const { stdout, stderr } = await call(folder, words)
    const content = join(folder, 'content')
    writeFileSync(join(content, 'report.txt'), stdout + stderr)
    if (process.env['UPDATE'] === '1') {
      rmSync(expected, { recursive: true, force: true })
      cpSync(content, expected, { recursive: true })
    }
    expect(filesOf(content)).toEqual(filesOf(expected))
    const again = await call(folder, words)
    expect(again.stdout.split('\n')[0]).toMatch(
      /^Imported (\d+ \w+ \(\d+ already there\)(, )?)+ into/,
    )
    rmSync(join(content, 'report.txt'))
    expect(filesOf(content)).toEqual(
      new Map([...filesOf(expected)].filter(([path]) => path !== 'report.txt')),
    )
    const check = await call(folder, ['check'])
    expect({ exitCode: check.exitCode, stdout: check.stdout }).toMatchObject({ exitCode: 0 })
  })
})

function filesOf(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}
