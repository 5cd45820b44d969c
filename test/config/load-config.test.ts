import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { temporarySite } from '../support/temporary-site.ts'

const config = (port: number) => `export default { port: ${port} as number }\n`

describe('a configuration in TypeScript', () => {
  it('is read again after a correction, in one process', async () => {
    const site = temporarySite().write('quarry.config.ts', config(4000))
    mkdirSync(join(site.folder, 'node_modules'))
    expect(await loadConfig(site.folder)).toMatchObject({ port: 4000 })
    site.write('quarry.config.ts', config(5000))
    expect(await loadConfig(site.folder)).toMatchObject({ port: 5000 })
  })

  it('is compiled once: the text is stored below node_modules', async () => {
    const site = temporarySite().write('quarry.config.ts', config(4000))
    mkdirSync(join(site.folder, 'node_modules'))
    await loadConfig(site.folder)
    expect(readdirSync(join(site.folder, 'node_modules/.cache/jiti'))).toHaveLength(1)
  })

  it('leaves nothing where there is no node_modules', async () => {
    const site = temporarySite().write('quarry.config.ts', config(4000))
    expect(await loadConfig(site.folder)).toMatchObject({ port: 4000 })
    expect(readdirSync(site.folder)).not.toContain('node_modules')
  })
})

describe('a configuration that is no file', () => {
  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['a link to nothing', (path: string) => symlinkSync(`${path}.gone`, path)],
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ])('is refused by name: %s', async (_, create) => {
    const site = temporarySite()
    const path = join(site.folder, 'quarry.config.json')
    create(path)
    await expect(loadConfig(site.folder)).rejects.toThrow(`${path} is not a file`)
  })
})

it('a configuration in JSON may begin with a byte order mark', async () => {
  const site = temporarySite().write('quarry.config.json', '\ufeff{ "port": 4000 }')
  expect(await loadConfig(site.folder)).toMatchObject({ port: 4000 })
})

it('a byte order mark does not move the place of a syntax error', async () => {
  const site = temporarySite().write('quarry.config.json', '\ufeff{ "port": x }')
  await expect(loadConfig(site.folder)).rejects.toThrow('quarry.config.json:1:11 ')
})
