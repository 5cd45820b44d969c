// Posts without dates in a workspace with `dates: git`.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { temporarySite } from '../support/temporary-site.ts'

const post = (lines: string, body: string) =>
  `---\ntitle: T\ncategory: news\n${lines}---\n${body}\n`

it('takes the dates that a post does not state from its first and last commit', async () => {
  const site = temporarySite()
    .write('content/acme/workspace.yml', 'references: create\ndates: git\n')
    .write('content/acme/posts/one.md', post('', 'One.'))
    .write('content/acme/posts/two.md', post('publishedAt: 2020-01-01\n', 'Two.'))
  const git = (date: string, ...words: readonly string[]) =>
    execFileSync('git', ['-C', site.folder, ...words], {
      env: {
        ...process.env,
        ...{ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: '2025-12-12T00:00:00Z' },
        ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b.c' },
        ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b.c' },
      },
      stdio: 'ignore',
    })
  const commit = (date: string) => {
    git(date, 'add', 'content')
    git(date, 'commit', '-m', 'x')
  }
  git('', 'init')
  commit('2021-02-03T04:05:06+02:00')
  const dates = (name: string) => {
    const { publishedAt, updatedAt } = site.json(`public/v1/acme/posts/${name}.json`).post
    return [publishedAt, updatedAt].map((date: string) => date.slice(0, 10))
  }
  await site.build()
  expect(site.json('public/v1/acme/posts/one.json').post.publishedAt).toBe(
    '2021-02-03T02:05:06.000Z',
  )
  expect([dates('one'), dates('two')]).toEqual([
    ['2021-02-03', '2021-02-03'],
    ['2020-01-01', '2021-02-03'],
  ])
  site.write('content/acme/posts/one.md', post('', 'Changed.'))
  commit('2022-01-01T00:00:00Z')
  await site.build()
  expect(dates('one')).toEqual(['2021-02-03', '2022-01-01'])
  // A commit that changes no file dates nothing, and an amended one is another.
  git('2022-05-05T00:00:00Z', 'commit', '--amend', '--reset-author', '-m', 'y')
  await site.build()
  expect(dates('one')).toEqual(['2021-02-03', '2022-05-05'])
  // The log of what is new dates as the whole log does, also after commits with earlier dates.
  site.write('content/acme/posts/one.md', post('', 'Rebased.'))
  commit('2020-06-06T00:00:00Z')
  for (const isForced of [false, true]) {
    await site.build({ isForced })
    expect(dates('one')).toEqual(['2020-06-06', '2022-05-05'])
  }

  const clone = emptyFolder()
  git('', 'clone', '--depth', '1', `file://${site.folder}`, clone)
  rmSync(join(site.folder, '.git'), { recursive: true })
  // A history that is remembered would do.
  rmSync(join(site.folder, 'cache'), { recursive: true })
  git('', 'clone', '--bare', clone, join(site.folder, '.git'))
  git('', 'config', 'core.bare', 'false')
  expect(existsSync(join(site.folder, '.git/shallow'))).toBe(true)
  const found = await site.diagnostics()
  expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'error missing-field',
    'warning missing-history',
  ])
  expect(found[1]?.hint).toContain('fetch-depth: 0')
})
