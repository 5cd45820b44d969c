import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, commandsOf } from './support/documented-project.ts'
import { emptyFolder } from './support/empty-folder.ts'
import { startProgram } from './support/process.ts'
import { temporarySite } from './support/temporary-site.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** The files that git knows, and nothing that was installed or built. */
const copyFiles =
  'git ls-files -z -co --exclude-standard | tar --null --ignore-failed-read -cT - | tar -xC "$1"'

describe('the README', () => {
  let clone: string
  let url: string

  beforeAll(async () => {
    clone = emptyFolder()
    execFileSync('bash', ['-c', copyFiles, 'copy', clone], { cwd: join(import.meta.dirname, '..') })
    const environment = { ...process.env, QUARRY_PORT: '0', CI: 'true' } as Record<string, string>
    const options = { cwd: clone, environment, ready: /Serving http:\S+/ }
    const server = await startProgram('bash', ['-c', commandsOf(readme, 'start')], options)
    url = /Serving (http:[^\s,]+)/.exec(server.output())?.[1] ?? ''
  }, 240_000)

  it('sets up, builds and serves the sample with one command', async () => {
    const status = await fetch(`${url}/status`)
    expect(await status.json()).toMatchObject({ status: 'ok' })
  })

  it('shows requests that are answered', () => {
    const requests = readme.match(/^curl .+$/gm) ?? []
    expect(requests.length).toBeGreaterThan(3)
    for (const request of requests) {
      const command = request.replace('http://127.0.0.1:4321', url).replace('curl', 'curl -sf')
      const answer = JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' }))
      expect(Object.keys(answer).length, request).toBeGreaterThan(0)
      expect(answer.pagination?.totalItems ?? 1, request).toBeGreaterThan(0)
    }
  })

  it.each([
    'npm run build',
    'npx quarry check',
    'npx quarry explain /v1/handbook/posts',
    'npx quarry --help',
    'npx quarry keys create --workspace handbook',
  ])('names a command that works: %s', (command) => {
    expect(readme).toContain(`\`${command}\``)
    const output = execFileSync('bash', ['-c', command], {
      cwd: clone,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(output).not.toBe('')
  })

  it('has an example that installs and builds as its page says, with the sample content', () => {
    const page = readFileSync(join(clone, 'examples/README.md'), 'utf8')
    const commands = /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    expect(commands).toMatch(/^npm ci && npm pack\n/)
    // `npm start` has installed and compiled the clone.
    execFileSync('bash', ['-c', 'npm pack --ignore-scripts'], { cwd: clone, stdio: 'pipe' })
    const rest = commands
      .replace('npm ci && npm pack\n', '')
      .replace('npm install', 'npm install --prefer-offline --no-audit')
    // The worker's tool is not needed to build.
    const env = { ...process.env, CI: 'true', NPM_CONFIG_OMIT: 'dev' }
    execFileSync('bash', ['-ec', rest], { cwd: clone, stdio: 'pipe', env })
    const written = join(clone, 'examples/cloudflare/deploy/cloudflare/deployment.json')
    expect(JSON.parse(readFileSync(written, 'utf8')).files).not.toEqual({})
  })

  it('shows content that is content, and the error that a mistake in it gives', async () => {
    const [post = ''] = blocksOf(readme, 'markdown')
    const [, error = ''] = /^```\n(content\/my-site\/[\s\S]*?)^```$/m.exec(readme) ?? []
    const site = temporarySite()
      .write('content/my-site/categories/news.md', '---\nname: News\n---\n')
      .write('content/my-site/tags/static-sites.md', '---\nname: Static sites\n---\n')
      .write('content/my-site/authors/ada.md', '---\nname: Ada\n---\n')
      .write('content/my-site/posts/2026-11-20-hello.md', `${post}\n`)
    expect(await site.problems()).toEqual([])
    site.write(
      'content/my-site/posts/2026-11-20-hello.md',
      post.replace('category: news', 'category: nwes'),
    )
    const [problem] = await site.diagnostics()
    const first = `${problem?.file}:${problem?.line}:${problem?.column} ${problem?.severity} ${problem?.code}`
    expect(error).toContain(`content/${first}`)
    expect(error).toContain(`${problem?.message} ${problem?.hint}`)
  })

  it('has a test command, which continuous integration runs', () => {
    expect(commandsOf(readme, 'test')).toBe('npm ci && npm test')
    expect(readFileSync(join(clone, '.ci/run'), 'utf8')).toContain('<!-- test -->')
  })
})
