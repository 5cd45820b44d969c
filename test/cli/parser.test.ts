import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../support/command-line.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

/** As on a machine that satteri has no module for. */
const none = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere' }

describe('either parser', () => {
  it('builds the same files, and a comparison of both writes none of them again', async () => {
    const site = manyPosts()
    const expected = await filesWith(site, 'remark')
    expect(await filesWith(site, 'auto')).toEqual(expected)
    const verified = await run(site.folder, ['build', '--verify-parser', ...moment])
    expect(verified).toMatchObject({ exitCode: 0, stderr: '' })
    expect(verified.stdout).toContain('(0 written')
    expect(await filesWith(site, 'auto', none)).toEqual(expected)
  })
})

describe('parsers that read a body differently', () => {
  it('fail the comparison with its file and line', async () => {
    const site = temporarySite().post('a', {}, 'One.\n\n> Two *three*.\n')
    const environment = { NAPI_RS_NATIVE_LIBRARY_PATH: differing(site) }
    const { exitCode, stderr } = await run(site.folder, ['build', '--verify-parser'], environment)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('acme/posts/a.md:8:3 error render-failed')
    expect(stderr).toContain('satteri and remark-parse read this body differently: root.children.1')
    expect(existsSync(site.out)).toBe(false)
  })
})

describe('without its native module', () => {
  it('satteri is reported where there is much to render', async () => {
    const site = configured(manyPosts(), 'auto')
    const first = await run(site.folder, ['build'], none)
    expect(first.exitCode).toBe(0)
    expect(first.stderr).toContain('satteri has no native module for this machine')
    expect((await run(site.folder, ['build'], none)).stderr).toBe('')
  })

  it('parsers are not compared', async () => {
    const site = temporarySite().post('a')
    const { exitCode, stderr } = await run(site.folder, ['build', '--verify-parser'], none)
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('--verify-parser: The package satteri has no native module')
    expect(existsSync(site.out)).toBe(false)
  })
})

const moment = ['--now', '2026-06-01']

/** More than are rendered without a thread. */
function manyPosts(): TemporarySite {
  const site = temporarySite()
  const body = (at: number) =>
    `# ${at} *a*\n\n[b](post-0.md "c") www.example.com <b>d</b>\n\n- [x] e\n\n${'word '.repeat(200)}\n`
  for (let at = 0; at < 110; at++) site.post(`post-${at}`, {}, body(at))
  return site
}

/** A native module that reads "Two" as "Ten". @returns its file */
function differing(site: TemporarySite): string {
  const [name = ''] = readdirSync('node_modules/@bruits')
  site.write(
    'differing.cjs',
    `const native = require(${JSON.stringify(resolve('node_modules/@bruits', name))})
    const createMdastHandle = (source, ...rest) =>
      native.createMdastHandle(source.replace('Two', 'Ten'), ...rest)
    module.exports = { ...native, createMdastHandle }`,
  )
  return join(site.folder, 'differing.cjs')
}

function configured(site: TemporarySite, parser: string): TemporarySite {
  return site.write('quarry.config.json', JSON.stringify({ markdown: { parser } }))
}

/** Every file of a build, rendered again. */
async function filesWith(
  site: TemporarySite,
  parser: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const args = ['build', '--force', ...moment]
  expect(await run(configured(site, parser).folder, args, environment)).toMatchObject({
    exitCode: 0,
  })
  const files = site.files().map((path) => [path, readFileSync(join(site.out, path), 'latin1')])
  return Object.fromEntries(files)
}
