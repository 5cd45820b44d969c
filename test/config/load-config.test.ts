import { mkdirSync, readdirSync } from 'node:fs'
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
