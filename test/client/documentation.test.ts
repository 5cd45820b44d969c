import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/server.ts'
import { call } from '../support/command-call.ts'
import { installInto, packPackage } from '../support/packed.ts'
import { serveFolder } from '../support/served-site.ts'
import { TemporarySite, temporarySite } from '../support/temporary-site.ts'

const root = join(import.meta.dirname, '../..')

it('runs as it is documented, from a tarball that installs one package', async () => {
  const site = new TemporarySite()
  site
    .write('content/handbook/categories/news.md', '---\nname: News\n---\n')
    .write('content/handbook/tags/caching.md', '---\nname: Caching\n---\n')
    .write(
      'content/handbook/posts/kept.md',
      '---\ntitle: What is kept\ndate: 2024-01-01\ncategory: news\ntags: [caching]\n---\nText\n',
    )
  await site.build()
  const served = await serveFolder(site.out)
  const server = await listen(served.handler(), { host: '127.0.0.1', port: 0 })
  const project = mkdtempSync(join(tmpdir(), 'quarry-client-'))
  onTestFinished(async () => {
    await server.close(0)
    served.close()
    rmSync(site.folder, { recursive: true })
    rmSync(project, { recursive: true })
  })
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  installInto(project, [packPackage('quarry-client', join(project, 'packed'))])
  const installed = readdirSync(join(project, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['quarry-client'])
  const text = readFileSync(join(root, 'docs/client.md'), 'utf8')
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(text) ?? []
  const file = join(project, 'example.mjs')
  writeFileSync(file, code.replace('http://127.0.0.1:4321', server.url))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
  expect(stderr).toBe('')
  expect(stdout).toBe('What is kept\nCaching 1\n')
})

it('has the types that are documented', async () => {
  const text = readFileSync(join(root, 'docs/client.md'), 'utf8')
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(text) ?? []
  const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [] }
  const site = temporarySite()
    .write('content/handbook/workspace.yml', 'fields: { rating: number }\n')
    .write('content/handbook/categories/news.md', '---\nname: News\n---\n')
    .write('content/handbook/tags/caching.md', '---\nname: Caching\n---\n')
    .write(
      'content/handbook/posts/what-is-kept.md',
      '---\ntitle: Kept\ndate: 2024-01-01\ncategory: news\n---\nText\n',
    )
    .write(
      'content/handbook/posts/scheduled.md',
      '---\ntitle: Later\ndate: 2999-01-01\ncategory: news\n---\nText\n',
    )
    .write('package.json', '{ "type": "module" }')
    .write('example.ts', code)
    .write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['example.ts'] }))
    .write('node_modules/.keep', '')
  symlinkSync(join(root, 'packages/client'), join(site.folder, 'node_modules/quarry-client'))
  expect((await call(site.folder, ['schema'])).exitCode).toBe(0)
  const declaration = readFileSync(join(site.folder, '.quarry/handbook/fields.d.ts'), 'utf8')
  expect(declaration).not.toContain('scheduled')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', site.folder])
  expect((await checked.catch((error: { readonly stdout: string }) => error)).stdout).toBe('')
})
