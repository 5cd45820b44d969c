// The OpenAPI document in the tools that others use: linters, and generators whose clients compile and fetch.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltFixture, buildFixture } from '../conformance/hosts.ts'
import { type Running, run, start } from '../support/command-line.ts'
import { provideHostPackages } from '../support/host-packages.ts'

let fixture: BuiltFixture
let served: Running
let folder: string
let url: string

beforeAll(async () => {
  const modules = provideHostPackages('openapi')
  fixture = await buildFixture()
  served = start(fixture.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: 'off' })
  url = (await served.waitFor(/ at (\S+)/))[1] ?? ''
  folder = mkdtempSync(join(tmpdir(), 'quarry-openapi-'))
  symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
}, 300_000)
afterAll(async () => {
  served.stop('SIGTERM')
  await served.ended
  fixture.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a tool of the packages. @returns what it printed @throws Error when it fails */
function tool(name: string, ...words: string[]): string {
  const program = join(folder, 'node_modules/.bin', name)
  const environment = { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' }
  const options = { cwd: folder, encoding: 'utf8', env: environment } as const
  const { status, stdout, stderr } = spawnSync(program, words, options)
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout
}

describe('the linters', () => {
  it.each(['function', 'files'])('find nothing in the document of a host with %s', async (kind) => {
    const file = join(folder, `${kind}.json`)
    if (kind === 'files') {
      expect((await run(fixture.folder, ['build', '--for', 'static'])).exitCode).toBe(0)
    }
    const own = kind === 'files' ? fixture.folder : folder
    const path = kind === 'files' ? 'deploy/static/public/openapi.json' : 'openapi.json'
    writeFileSync(file, readFileSync(join(own, path)))
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const found = JSON.parse(tool('redocly', 'lint', file, '--format', 'json'))
    expect(found.problems).toEqual([])
    expect(tool('spectral', 'lint', file, '--fail-severity', 'hint')).toContain('No results')
  })
})

describe('a generated client', () => {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022']
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom']

  /** Compiles a program and runs it. @returns the JSON that it printed */
  function runProgram(name: string, text: string): unknown {
    writeFileSync(join(folder, name), text)
    tool('tsc', ...options, ...modules, '--allowImportingTsExtensions', name)
    const jiti = join(import.meta.dirname, '../../node_modules/jiti/lib/jiti-cli.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [jiti, name, url], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }

  let expected: readonly unknown[]
  // Before the tools: connections that are kept meanwhile would be closed by then.
  beforeAll(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
    const read = async (path: string): Promise<any> =>
      (await fetch(`${url}/v1/acme/${path}`)).json()
    const few = await read('posts?limit=3&tags=alpha,beta&excludeContent=true')
    const all = await read('posts?limit=all&order=asc')
    expected = [few, all.pagination, await read('tags/alpha?include=posts')]
  })

  it('of openapi-typescript and openapi-fetch compiles and fetches', async () => {
    tool('openapi-typescript', 'openapi.json', '-o', 'types.d.ts')
    const program = `import createClient from 'openapi-fetch'
import type { paths } from './types'
const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' })
const path = { workspaceId: 'acme' }
const query = { limit: 3, tags: ['alpha', 'beta'], excludeContent: true }
const few = await api.GET('/v1/{workspaceId}/posts', { params: { path, query } })
const every = { limit: 'all', order: 'asc' } as const
const all = await api.GET('/v1/{workspaceId}/posts', { params: { path, query: every } })
const one = { params: { path: { ...path, identifier: 'alpha' }, query: { include: ['posts' as const] } } }
const tag = await api.GET('/v1/{workspaceId}/tags/{identifier}', one)
// @ts-expect-error: a page is a number
await api.GET('/v1/{workspaceId}/posts', { params: { path, query: { page: 'x' } } })
const title: string = few.data?.posts[0]?.title ?? ''
console.log(JSON.stringify([few.data, all.data?.pagination, tag.data], title === '' ? [] : null))
`
    expect(runProgram('use-fetch.ts', declareProcess + program)).toEqual(expected)
  }, 60_000)
})

/** No types of Node are installed beside the packages. */
const declareProcess = 'declare const process: { argv: string[] }\n'
