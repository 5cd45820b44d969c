// The files of examples/docker in a project of `quarry init`: the commands of the build, then the server's own.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { beforeAll, expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { installInto, packPackage } from '../support/packed.ts'
import { freePort, startProgram } from '../support/process.ts'

const example = join(import.meta.dirname, '../../examples/docker')
/** Instructions with joined lines, by stage. */
const [, build = '', , server = ''] = readFileSync(join(example, 'Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split(/^(?=FROM )/m)
const folder = emptyFolder()
const project = join(folder, 'my-site')

beforeAll(() => {
  const packed = join(folder, 'packed')
  installInto(packed, [packPackage('quarry', packed)])
  execFileSync('npx', ['quarry', 'init', project, '--yes'], { cwd: packed, stdio: 'pipe' })
  installInto(project, ['--package-lock-only', 'ioredis@6', 'rate-limiter-flexible@11'])
  cpSync(example, project, { recursive: true })
  cpSync(join(example, '../nginx/quarry.conf'), join(project, 'quarry.conf'))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
  for (const [, command = ''] of build.matchAll(/^RUN (?:--mount=\S+\s+)?(.+)$/gm))
    execFileSync('/bin/sh', ['-ec', command], { cwd: project, env, stdio: 'pipe' })
}, 240_000)

it('the server has no content, no precomputed response, and less than 80 MB', () => {
  const cwd = join(project, 'server')
  const files = fastGlob.sync(['*', 'dist/*', 'dist/public/*'], {
    cwd,
    onlyFiles: false,
    dot: true,
  })
  const expected = ['dist', 'dist/function', 'dist/manifest.json', 'dist/public', 'node_modules']
  expect(files).toEqual(expect.arrayContaining(expected))
  expect(files.filter((path) => /\.env|content|\/v1|private/.test(path))).toEqual([])
  const kilobytes = Number.parseInt(execFileSync('du', ['-sk', cwd], { encoding: 'utf8' }), 10)
  expect(kilobytes).toBeLessThan(80_000)
})

it('the server responds at all addresses, and its health check follows it', async () => {
  const command = (name: string): string[] =>
    JSON.parse(new RegExp(`${name} (\\[.*\\])$`, 'm').exec(server)?.[1] ?? '')
  const port = await freePort()
  const environment = { QUARRY_HOST: '0.0.0.0', QUARRY_PORT: String(port) }
  expect(server).toContain('ENV NODE_ENV=production QUARRY_HOST=0.0.0.0 QUARRY_PORT=4321')
  const [program = '', ...words] = command('^CMD')
  const cwd = join(project, 'server')
  const running = await startProgram(program, words, { cwd, environment, ready: / at http/ })
  // 127.0.0.2 is no address of a server at 127.0.0.1.
  const url = `http://127.0.0.2:${port}`
  const list = await (await fetch(`${url}/v1/my-site/posts`)).json()
  const hello = expect.objectContaining({ slug: 'hello' })
  expect(list).toMatchObject({ posts: expect.arrayContaining([hello]) })
  expect((await fetch(`${url}/v2/posts`)).status).toBe(401)
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-type')).toContain('text/html')
  const [checker = '', ...check] = command('^ +CMD|HEALTHCHECK.* CMD')
  const env = { ...process.env, ...environment }
  const isHealthy = () => spawnSync(checker, check, { env }).status === 0
  expect(isHealthy()).toBe(true)
  await running.stop()
  expect(isHealthy()).toBe(false)
})
