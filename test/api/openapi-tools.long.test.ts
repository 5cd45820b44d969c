// The OpenAPI document in the linters that others use.
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { buildSample, functionOver } from '../support/sample-site.ts'

it('has no fault that linters find', { timeout: 300_000 }, async () => {
  const sample = await buildSample()
  const document = await functionOver(sample.out)('/openapi.json')
  const folder = emptyFolder({
    'openapi.json': await document.text(),
    '.spectral.yaml': 'extends: ["spectral:oas"]\n',
  })
  symlinkSync(provideHostPackages('openapi'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const lint = (name: string, ...words: string[]) => {
    const env = { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' }
    const program = join(folder, 'node_modules/.bin', name)
    const options = { cwd: folder, encoding: 'utf8', env } as const
    return spawnSync(program, ['lint', 'openapi.json', ...words], options).stdout
  }
  expect(JSON.parse(lint('redocly', '--format', 'json')).problems).toEqual([])
  expect(lint('spectral', '--fail-severity', 'hint')).toContain('No results')
})
