import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { onTerminal } from '../support/pseudo-terminal.ts'
import { pathWithQuickNpm } from '../support/quick-npm.ts'

const main = join(import.meta.dirname, '../../.lib/cli/main.js')

/** Types on a terminal on which quarry runs with these words. */
function onQuarry(folder: string, words: string, steps: Parameters<typeof onTerminal>[2]) {
  const environment = { PATH: pathWithQuickNpm() }
  return onTerminal(folder, `${process.execPath} ${main} ${words}`, steps, environment)
}

describe('on a terminal, quarry init', () => {
  it('asks for the folder and the template, the only things that it cannot guess', async () => {
    const folder = emptyFolder({ 'notes.txt': 'mine' })
    const { exitCode } = await onQuarry(folder, 'init', [
      ['Folder (my-site)', 'handbook\r'],
      ['Template (blog)', 'dcos\r'],
      ['Did you mean "docs"?', 'd\r'],
    ])
    expect(exitCode).toBe(0)
    expect(existsSync(join(folder, 'handbook/content/handbook/posts/guides/install.md'))).toBe(true)
  })

  it('takes what is in brackets for an empty answer', async () => {
    const folder = emptyFolder()
    const { exitCode } = await onQuarry(folder, 'init', [['Template (blog)', '\r']])
    expect(exitCode).toBe(0)
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"dev": "quarry dev"')
  })

  it('says at once when the folder is in the way', async () => {
    const folder = emptyFolder({ 'mine/notes.txt': 'mine' })
    const { shown, exitCode } = await onQuarry(folder, 'init mine', [])
    expect(exitCode).toBe(2)
    expect(shown).toContain('is not empty: it contains notes.txt')
    expect(shown).not.toContain('Template')
  })

  it.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('is left with %s, and has made nothing', async (_, key) => {
    const folder = emptyFolder()
    const { shown, exitCode } = await onQuarry(folder, 'init', [['Template (blog)', key]])
    expect(exitCode).toBe(130)
    expect(shown).toContain('Stopped. Nothing was created.')
    expect(readdirSync(folder)).toEqual([])
  })

  it('asks nothing with --yes', async () => {
    const folder = emptyFolder()
    const { shown, exitCode } = await onQuarry(folder, 'init site --yes', [])
    expect(exitCode).toBe(0)
    expect(shown).not.toContain('Template (')
    expect(shown).toContain('Created')
  })
})
