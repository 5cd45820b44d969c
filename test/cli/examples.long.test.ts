// The examples of the help, run one after another as a user would.
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { examples } from '../../src/cli/examples.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { pathWithQuickNpm } from '../support/quick-npm.ts'

const root = join(import.meta.dirname, '../..')

describe('an example of the help', () => {
  const all = Object.entries(examples).flatMap(([path, lines]) =>
    lines.map(({ line }) => ({ path, line })),
  )
  const needsServer = ({ line }: { readonly line: string }) =>
    /^quarry (dev|serve|doctor|notify)\b/.test(line)

  it('can be run', async () => {
    const folder = emptyFolder()
    const home = emptyFolder()
    const bin = join(home, 'quarry')
    writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${root}/.lib/cli/main.js' "$@"\n`)
    chmodSync(bin, 0o755)
    const env = { PATH: `${home}:${pathWithQuickNpm()}`, HOME: home }
    for (const { line } of all.filter((example) => !needsServer(example))) {
      const isBeforeProject = line.startsWith('quarry init')
      const cwd = isBeforeProject ? folder : join(folder, 'my-site')
      // Two commands have it; it makes the project in which the others are run.
      if (line === 'quarry init my-site' && existsSync(join(folder, 'my-site'))) continue
      const running = promisify(execFile)('bash', ['-c', line], { cwd, env })
      running.child.stdin?.end('qk_not-a-key')
      const { stderr } = await running
      expect(stderr, line).not.toContain('error')
      if (line !== 'quarry init my-site') continue
      mkdirSync(join(folder, 'my-site/node_modules'))
      symlinkSync(root, join(folder, 'my-site/node_modules/quarry'))
    }
    expect(existsSync(join(folder, 'handbook/content/handbook/posts'))).toBe(true)
    expect(existsSync(join(folder, 'my-site/next/manifest.json'))).toBe(true)
  })
})
