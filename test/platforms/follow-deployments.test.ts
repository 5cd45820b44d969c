// Deployments that were written once follow every later build of their output folder.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../src/emit/output-folder.ts'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const build = (site: TemporarySite, ...words: string[]) =>
  call(site.folder, ['build', ...words], { QUARRY_WORKERS: '1' })

/** Everything in a deployment, as text. */
function contentOf(site: TemporarySite, folder: string): string {
  const files = listFiles(join(site.folder, folder))
  return files.map((path) => readFileSync(join(site.folder, folder, path), 'latin1')).join('\n')
}

function buildOf(site: TemporarySite, folder: string): string {
  return JSON.parse(readFileSync(join(site.folder, folder, 'deployment.json'), 'utf8')).build
}

describe('a build', () => {
  it('writes the deployments anew that hold an older one, and keeps no post that became a draft', async () => {
    const site = temporarySite().post('stays').post('goes', {}, 'Takenback words.\n')
    await build(site, '--for', 'deno')
    await build(site, '--for', 'cloudflare')
    for (const folder of ['deploy/deno', 'deploy/cloudflare']) {
      expect(contentOf(site, folder)).toContain('Takenback')
    }
    site.post('goes', { status: 'draft' }, 'Takenback words.\n')
    const { stdout, stderr } = await build(site)
    expect(stdout).toContain('Ready for deno again in deploy/deno')
    expect(stdout).toContain('Ready for cloudflare again in deploy/cloudflare')
    expect(stderr).toBe('')
    for (const folder of ['deploy/deno', 'deploy/cloudflare']) {
      expect(contentOf(site, folder)).not.toContain('Takenback')
      expect(buildOf(site, folder)).toBe(site.json('manifest.json').build)
    }
  })

  it('follows when drafts alone changed, which the id of the build does not depend on', async () => {
    const site = temporarySite().post('one').post('draft', { status: 'draft' }, 'Firstwords.\n')
    await build(site, '--for', 'deno', '--drafts')
    const id = buildOf(site, 'deploy/deno')
    expect(contentOf(site, 'deploy/deno')).toContain('Firstwords')
    site.post('draft', { status: 'draft' }, 'Otherwords.\n')
    expect((await build(site, '--drafts')).stdout).toContain('Ready for deno again')
    expect(contentOf(site, 'deploy/deno')).toContain('Otherwords')
    expect((await build(site, '--drafts')).stdout).not.toContain('again')
    expect((await build(site)).stdout).toContain('Ready for deno again')
    for (const word of ['Firstwords', 'Otherwords']) {
      expect(contentOf(site, 'deploy/deno')).not.toContain(word)
    }
    expect(buildOf(site, 'deploy/deno')).toBe(id)
  })

  it('leaves them alone when they hold it already, and tells programs which followed', async () => {
    const site = temporarySite().post('one')
    await build(site, '--for', 'bun')
    expect(JSON.parse((await build(site, '--json')).stdout).followed).toBeUndefined()
    const { stdout } = await build(site.post('two'), '--json')
    expect(JSON.parse(stdout).followed).toMatchObject([{ host: 'bun' }])
  })

  it('leaves those of another output folder alone', async () => {
    const site = temporarySite().post('one')
    await build(site, '--for', 'bun')
    const before = buildOf(site, 'deploy/bun')
    const { stdout, stderr } = await build(site.post('two'), '--out', 'preview')
    expect(stdout).not.toContain('again')
    expect(stderr).toBe('')
    expect(buildOf(site, 'deploy/bun')).toBe(before)
  })

  it('makes none where there was none', async () => {
    const site = temporarySite().post('one')
    await build(site)
    expect(existsSync(join(site.folder, 'deploy'))).toBe(false)
  })

  it('warns of files for a host without a function, for which it did not write enough', async () => {
    const site = temporarySite().post('one').post('goes')
    await build(site, '--for', 'static')
    site.post('goes', { status: 'draft' })
    const { exitCode, stderr } = await build(site, '--quiet')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('warning: deploy/static still holds another build')
    expect(stderr).toContain('quarry build --for static')
    site.write('quarry.config.json', '{"precompute": {"ids": true}}')
    expect((await build(site)).stderr).toBe('')
    expect(contentOf(site, 'deploy/static')).not.toContain('goes')
  })

  it('warns of one that does not say of which folder it was made', async () => {
    const site = temporarySite().post('one')
    await build(site, '--for', 'deno')
    const list = join(site.folder, 'deploy/deno/deployment.json')
    writeFileSync(list, readFileSync(list, 'utf8').replace(' "out": "dist",\n', ''))
    const { stderr } = await build(site.post('two'))
    expect(stderr).toContain('deploy/deno still holds another build')
  })
})
