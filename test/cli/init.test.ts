import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { templateNames, templates } from '../../src/cli/init.ts'
import { call } from '../support/command-call.ts'
import { type Run, run } from '../support/command-line.ts'
import { emptyFolder } from '../support/empty-folder.ts'
import { pathWithQuickNpm } from '../support/quick-npm.ts'

const root = join(import.meta.dirname, '../..')

/** A project that several tests only read: each `init` packs quarry with npm. */
const madeIn = mkdtempSync(join(tmpdir(), 'quarry-init-'))
const project = join(madeIn, 'my site')
let made: Run

beforeAll(async () => {
  made = await run(madeIn, ['init', 'my site'])
})

afterAll(() => rmSync(madeIn, { recursive: true, force: true }))

describe('quarry init', () => {
  it.each(templateNames)(
    'makes a project of the template %s that has no problems',
    async (name) => {
      const folder = emptyFolder()
      const words = ['init', 'Ada’s site', '--template', name]
      const made = await call(folder, words, { PATH: pathWithQuickNpm() })
      expect({ ...made, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      const project = join(folder, 'Ada’s site')
      mkdirSync(join(project, 'node_modules'))
      symlinkSync(root, join(project, 'node_modules/quarry'))
      expect(await call(project, ['check'])).toMatchObject({ stdout: 'No problems in content.\n' })
      const built = await call(project, ['build', '--json'])
      const { workspaces } = JSON.parse(built.stdout)
      expect(workspaces).toMatchObject({ 'adas-site': { name: 'Ada’s site', scheduled: 0 } })
      const { post, tag } = templates[name]
      const response = (path: string) =>
        readFileSync(join(project, 'dist/public/v1/adas-site', path), 'utf8')
      expect(response(`posts/${post}.json`)).toContain(`"slug":"${post}"`)
      expect(JSON.parse(response(`tags/${tag}.json`)).count.posts).toBeGreaterThan(0)
      const text = readFileSync(join(project, 'README.md'), 'utf8')
      expect(text.split('\n').length).toBeLessThan(50)
      expect(text).toContain(`/v1/adas-site/posts/${post}"`)
      expect(await call(project, ['schema'])).toMatchObject({ exitCode: 0 })
      const settings = JSON.parse(readFileSync(join(project, '.vscode/settings.json'), 'utf8'))
      for (const [schema, file] of Object.entries<string>(settings['yaml.schemas'])) {
        expect(existsSync(join(project, schema)) && existsSync(join(project, file))).toBe(true)
      }
    },
  )

  it('says what it made and what to do next', () => {
    expect(made.stdout.split('\n')).toEqual([
      'Created my site from the template blog, with the workspace "my-site".',
      expect.stringMatching(
        /^quarry is not on npm yet, so the project contains it as quarry-.+\.tgz\. Commit that file too\.$/,
      ),
      'Next:',
      "  cd 'my site'",
      '  npm install',
      '  npm run dev',
      '',
    ])
  })

  it('leaves no placeholder behind and no folder beside', () => {
    expect(readdirSync(madeIn)).toEqual(['my site'])
    const all = readdirSync(project, { recursive: true, encoding: 'utf8' })
    expect(all).toContain('.gitignore')
    expect(all).toContain('.github/workflows/content.yml')
    for (const path of all.filter((name) => statSync(join(project, name)).isFile())) {
      if (path.endsWith('.tgz')) continue
      expect(`${path}\n${readFileSync(join(project, path), 'utf8')}`).not.toMatch(/__/)
    }
  })

  it('makes the project in an empty working folder, beside .git', async () => {
    const folder = emptyFolder()
    execFileSync('git', ['init', '--quiet', folder])
    const { exitCode, stdout } = await call(folder, ['init'], { PATH: pathWithQuickNpm() })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Created the project in this folder')
    expect(stdout).not.toContain('cd ')
    expect(readdirSync(folder).sort()).toEqual([
      '.git',
      '.github',
      '.gitignore',
      '.vscode',
      'README.md',
      'content',
      'package.json',
      expect.stringMatching(/^quarry-.+\.tgz$/),
      'quarry.config.ts',
    ])
  })

  it('makes the folders above a new one too', async () => {
    const folder = emptyFolder()
    await call(folder, ['init', 'a/b/site'], { PATH: pathWithQuickNpm() })
    expect(existsSync(join(folder, 'a/b/site/package.json'))).toBe(true)
  })

  it.each([
    [{ 'site/notes.txt': 'mine' }, ['init', 'site'], 'is not empty: it contains notes.txt'],
    [{ 'site/package.json': '{}' }, ['init', 'site'], 'quarry init never changes files'],
    [{ site: 'a file' }, ['init', 'site'], 'is a file'],
    [{ 'notes.txt': 'mine' }, ['init'], 'Name a new folder: npx quarry init my-site'],
    [{}, ['init', 'site', '--template', 'shop'], 'Allowed choices are blog, docs, changelog'],
    [{}, ['init', 'one', 'two'], 'too many arguments'],
    [{}, ['init', ''], 'must not be empty'],
  ])('refuses %j for %j, says what to do and writes nothing', async (files, words, reason) => {
    const folder = emptyFolder(files as Record<string, string>)
    const before = readdirSync(folder, { recursive: true })
    const { exitCode, stdout, stderr } = await call(folder, words)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(reason)
    expect(readdirSync(folder, { recursive: true })).toEqual(before)
  })

  it.each([['site'], ['a/b/site'], ['.']])(
    'leaves nothing behind in %s when it cannot be finished',
    async (target) => {
      const folder = emptyFolder()
      // There is no npm to pack the package with.
      const { exitCode, stderr } = await call(folder, ['init', target], { PATH: '/nonexistent' })
      expect(exitCode).toBe(2)
      expect(stderr).toContain('npm could not pack quarry')
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

describe('the workflow of a new project', () => {
  it('restores the cache after npm ci has emptied the folder that it lies in', () => {
    const file = join(project, '.github/workflows/content.yml')
    const { steps } = parse(readFileSync(file, 'utf8')).jobs.build
    const at = (what: string) =>
      steps.findIndex((step: object) => JSON.stringify(step).includes(what))
    expect(at('actions/cache')).toBeGreaterThan(at('npm ci'))
    expect(at('actions/cache')).toBeLessThan(at('quarry build'))
    expect(steps[at('actions/cache')].with.path).toBe('node_modules/.cache/quarry')
  })

  it('saves the cache on the default branch alone', () => {
    const file = join(project, '.github/workflows/content.yml')
    const { steps } = parse(readFileSync(file, 'utf8')).jobs.build
    const cacheSteps = steps.filter(({ uses = '' }) => uses.startsWith('actions/cache'))
    expect(
      cacheSteps.map(({ uses, if: condition }: Record<string, string>) => [uses, condition]),
    ).toEqual([
      ['actions/cache/restore@v4', undefined],
      ['actions/cache/save@v4', 'github.ref_name == github.event.repository.default_branch'],
    ])
    const [restore, save] = cacheSteps
    expect([save.with.path, save.with.key]).toEqual([restore.with.path, restore.with.key])
    expect(steps.indexOf(save)).toBeGreaterThan(
      steps.findIndex(({ run = '' }) => run.includes('quarry build')),
    )
  })
})
