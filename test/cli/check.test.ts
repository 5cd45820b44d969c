// `quarry check`: groups, limits and formats of problems.
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { call } from '../support/command-call.ts'
import { temporarySite } from '../support/temporary-site.ts'

it('shows equal warnings as one, and every warning with --verbose', async () => {
  const site = temporarySite().post('i', { place: 'y' })
  for (const name of 'abcdefgh') site.post(name, { mood: 'x' }, '<b class="x">y</b>\n')
  const { exitCode, stdout } = await call(site.folder, ['check'])
  expect(exitCode).toBe(0)
  expect(existsSync(site.out)).toBe(false)
  expect(stdout.match(/warning unknown-key/g)).toHaveLength(2)
  expect(stdout).toContain(
    'content/acme/posts/a.md:5:1 warning unknown-key\n  in 8 files, first here: "mood" is not a known key',
  )
  expect(stdout).toContain('in 8 files, first here: The attribute "class" is left out.')
  const all = await call(site.folder, ['check', '--verbose'])
  expect(all.stdout.match(/warning unknown-key/g)).toHaveLength(9)
  expect(all.stdout).not.toContain('files')
})

it('fails with more warnings than --max-warnings, and prints both numbers', async () => {
  const site = temporarySite().post('a', { mood: 'x' }).post('b', { mood: 'x' })
  const check = (max: string, ...rest: string[]) =>
    call(site.folder, ['check', '--max-warnings', max, ...rest])
  expect(await check('1')).toMatchObject({
    exitCode: 1,
    stderr: 'The content has 2 warnings; --max-warnings allows 1.\n',
  })
  const none = await check('0', '--format', 'json')
  expect([none.exitCode, JSON.parse(none.stdout).warnings]).toEqual([1, 2])
  expect(await check('2')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await check('-1')).toMatchObject({ exitCode: 2 })
})
