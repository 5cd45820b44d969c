// The OpenAPI document in the tools that others use: linters, and generators whose clients compile and fetch.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Running, start } from '../support/command-line.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { type BuiltSample, buildSample } from '../support/sample-site.ts'

let fixture: BuiltSample
let served: Running
let folder: string
let url: string
let expected: readonly unknown[]

beforeAll(async () => {
  const modules = provideHostPackages('openapi')
  fixture = await buildSample()
  served = start(fixture.folder, ['serve', '--port', '0'], { QUARRY_RATE_LIMIT: 'off' })
  url = (await served.waitFor(/ at (\S+)/))[1] ?? ''
  folder = mkdtempSync(join(tmpdir(), 'quarry-openapi-'))
  symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
  // Before the tools: connections that are kept meanwhile would be closed by then.
  const read = async (path: string) => (await fetch(`${url}/v1/journal/${path}`)).json()
  expected = [
    await read('posts?limit=3&tags=alpha,beta&excludeContent=true'),
    ((await read('posts?limit=all&order=asc')) as { readonly pagination: object }).pagination,
    await read('tags/alpha?include=posts'),
  ]
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

it('has no fault that linters find', () => {
  writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  expect(JSON.parse(tool('redocly', 'lint', 'openapi.json', '--format', 'json')).problems).toEqual(
    [],
  )
  expect(tool('spectral', 'lint', 'openapi.json', '--fail-severity', 'hint')).toContain(
    'No results',
  )
})

it('makes a client of openapi-typescript and openapi-fetch that compiles and fetches', async () => {
  tool('openapi-typescript', 'openapi.json', '-o', 'types.d.ts')
  writeFileSync(join(folder, 'use-fetch.ts'), program)
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022']
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom']
  tool('tsc', ...options, ...modules, '--allowImportingTsExtensions', 'use-fetch.ts')
  const jiti = join(import.meta.dirname, '../../node_modules/jiti/lib/jiti-cli.mjs')
  const words = [jiti, 'use-fetch.ts', url]
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(expected)
}, 60_000)

/** No types of Node are installed beside the packages. */
const program = `declare const process: { argv: string[] }
import createClient from 'openapi-fetch'
import type { paths } from './types'
const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' })
const path = { workspaceId: 'journal' }
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
