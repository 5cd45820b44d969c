import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servedAddress } from '../support/process.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/getting-started.md'), 'utf8')

/** The lines of a block of the guide that has a name. */
function guideLines(wanted: string): readonly string[] {
  const blocks = [...guide.matchAll(/^<!-- (\w+) -->\n```sh\n([\s\S]*?)^```/gm)]
  const [, , text = ''] = blocks.find(([, name]) => name === wanted) ?? []
  return text.trim().split('\n')
}

interface ApiResponse {
  readonly post?: { readonly slug: string }
  readonly posts?: ApiResponse['post'][] | { readonly data: ApiResponse['post'][] }
}

/** Runs a command of the shell; what it prints on stderr is shown when it fails. */
function shell(command: string, folder: string): string {
  return execFileSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, npm_config_prefer_offline: 'true', CI: 'true' },
  })
}

describe('somebody who installs the packed package', () => {
  let folder: string
  let project: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-install-'))
    // Elsewhere, so that nothing is found but what the project brings itself.
    project = mkdtempSync(join(tmpdir(), 'quarry-project-'))
    shell(`npm pack --ignore-scripts --pack-destination '${folder}'`, root)
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const [install = '', init = ''] = guideLines('init')
    expect(install).toContain('../quarry/quarry-')
    shell(install.replace('../quarry/', './'), folder)
    shell(init, folder)
    cpSync(join(folder, 'my-site'), project, { recursive: true })
    rmSync(folder, { recursive: true })
    expect(guideLines('run')).toEqual(['cd my-site', 'npm install', 'npm run dev'])
    shell('npm install', project)
  }, 240_000)

  afterAll(() => {
    for (const made of [folder, project]) rmSync(made, { recursive: true, force: true })
  })

  it('gets from npm run dev all that its README and the guide ask for', async () => {
    const server = spawn('npm', ['run', 'dev'], {
      cwd: project,
      env: { ...process.env, QUARRY_PORT: '0' },
      detached: true,
    })
    try {
      const url = await servedAddress(server)
      const readme = readFileSync(join(project, 'README.md'), 'utf8')
      const lines = `${readme}\n${guideLines('ask').join('\n')}`
      const requests = [...lines.matchAll(/^curl "http:\/\/127\.0\.0\.1:4321(.+)"$/gm)]
      expect(requests).toHaveLength(7)
      for (const [, target = ''] of requests) {
        const response = await fetch(`${url}${target}`)
        expect(response.status, target).toBe(200)
        const body: ApiResponse = JSON.parse(await response.text())
        const items = Array.isArray(body.posts) ? body.posts : (body.posts?.data ?? [body.post])
        expect(items[0]?.slug, target).toMatch(/./)
      }
      const [, post = ''] = /^```markdown\n([\s\S]*?)^```/m.exec(guide) ?? []
      const [file = ''] = /content\/my-site\/posts\/[\w-]+\.md/.exec(guide) ?? []
      writeFileSync(join(project, file), post)
      await expect
        .poll(async () => (await fetch(`${url}/v1/my-site/posts/a-post-of-my-own`)).status, {
          timeout: 20_000,
        })
        .toBe(200)
    } finally {
      process.kill(-(server.pid ?? Number.NaN), 'SIGTERM')
    }
  })

  it.each([
    ['npm run check', 'No problems in content'],
    ['npm run build', 'Built dist'],
    [guideLines('build')[1] ?? '', 'public/v1/my-site/posts/index.json'],
    [guideLines('build')[2] ?? '', 'source         index'],
    [guideLines('deploy')[0] ?? '', 'deploy/static'],
  ])('can run %s', (command, output) => {
    expect(shell(command, project)).toContain(output)
  })
})
