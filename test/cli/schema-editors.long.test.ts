// Schemas in the tools of editors, which are installed for this.
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { run } from '../support/command-line.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { yamlProblems } from '../support/language-server.ts'
import { temporarySite } from '../support/temporary-site.ts'

const documentation = readFileSync(join(import.meta.dirname, '../../docs/content.md'), 'utf8')

describe('editors, as they are documented', () => {
  it('check workspace.yml with the comment line', async () => {
    const [, comment = ''] = /^(# yaml-language-server: .*)$/m.exec(documentation) ?? []
    const site = temporarySite().write(
      'content/handbook/workspace.yml',
      `${comment}\nname: Handbook\nreferences: error\n`,
    )
    expect((await run(site.folder, ['schema'])).exitCode).toBe(0)
    const file = join(site.content, 'handbook/workspace.yml')
    expect(await yamlProblems(file)).toEqual([])
    writeFileSync(file, `${comment}\nname: Handbook\nreferences: creat\n`)
    expect(await yamlProblems(file)).toEqual([
      '3: Value is not accepted. Valid values: "error", "create".',
    ])
  })

  it('check front matter with the settings of remark', async () => {
    const [, settings = ''] =
      /^```js\n(import remarkFrontmatter.*?)^```$/ms.exec(documentation) ?? []
    const post = (category: string) =>
      `---\ntitle: P\ncategory: ${category}\npublishedAt: 2026-01-01\n---\n\nText.\n`
    const site = temporarySite()
      .write('content/handbook/categories/news.md', '---\nname: News\n---\n')
      .write('content/handbook/posts/good.md', post('news'))
      .write('content/handbook/posts/bad.md', post('nwes'))
      .write('.remarkrc.mjs', settings)
    symlinkSync(provideHostPackages('editors'), join(site.folder, 'node_modules'))
    expect((await run(site.folder, ['schema'])).exitCode).toBe(0)
    const remark = join(site.folder, 'node_modules/remark-cli/cli.js')
    const linted = await promisify(execFile)(
      process.execPath,
      [remark, '--no-stdout', '--no-color', 'content/handbook/posts'],
      { cwd: site.folder },
    )
    expect(linted.stderr).toMatch(/good\.md: no issues found/)
    expect(linted.stderr).toMatch(
      /3:11-3:15 +warning +Must be equal to one of the allowed values: `news`/,
    )
    expect(linted.stderr).toContain('1 warning')
  })
})
