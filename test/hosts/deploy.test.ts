import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../src/build/output.ts'
import { hostNames } from '../../src/config/host-names.ts'
import { checkLimits, deploy as deployBuild } from '../../src/hosts/deploy.ts'
import { deployments } from '../../src/hosts/deployments.ts'
import { pictureBytes, pictureHash } from '../conformance/picture.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

async function deploy(site: TemporarySite, host: (typeof hostNames)[number]) {
  const { manifest } = await site.build()
  return deployBuild(host, { out: site.out, manifest })
}

describe('a deployment', () => {
  it.each(hostNames)('for %s is the same from the same build', async (host) => {
    const site = temporarySite().posts(3)
    const read = ({ folder }: { readonly folder: string }) =>
      listFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'latin1')])
    const first = read(await deploy(site, host))
    const second = await deploy(site, host)
    expect(read(second)).toEqual(first)
    expect(second.files.size).toBe(first.length - 1)
  })

  const functionHosts = hostNames.filter((host) => host !== 'static')
  it.each(functionHosts)('for %s holds no file of private', async (host) => {
    const site = temporarySite().posts(3)
    const { files } = await deploy(site, host)
    expect([...files.keys()].filter((path) => /private|v2/.test(path))).toEqual([])
    const { responses } = deployments[host]
    const open = [...files.keys()].filter((path) => path.includes('v1'))
    expect(open.filter((path) => !path.startsWith(`${responses}/v1/acme/`))).toEqual([])
  })

  it.each([
    ['cloudflare', 'assets/media'],
    ['netlify', 'public/media'],
    ['vercel', 'static/media'],
    ['deno', 'media'],
    ['bun', 'media'],
    ['static', 'public/media'],
    ['aws-lambda', null],
  ] as const)('for %s holds images in %s', async (host, folder) => {
    const site = temporarySite().post('one', {}, '![](a.png)\n')
    const { files } = await deploy(site.write('content/acme/posts/a.png', pictureBytes), host)
    const expected = folder === null ? [] : [`${folder}/acme/${pictureHash}.png`]
    expect([...files.keys()].filter((path) => path.endsWith('.png'))).toEqual(expected)
  })

  it('does not write over what somebody else put there', async () => {
    const site = temporarySite().posts(1).write('deploy/bun/main.js', 'mine')
    await expect(deploy(site, 'bun')).rejects.toThrow('quarry did not write')
    expect(readFileSync(join(site.folder, 'deploy/bun/main.js'), 'utf8')).toBe('mine')
  })

  it('is refused when the folder holds another build by now', async () => {
    const site = temporarySite().posts(1)
    const { manifest } = await site.build()
    await site.post('another').build()
    expect(() => deployBuild('deno', { out: site.out, manifest })).toThrow('of another build')
    expect(existsSync(join(site.folder, 'deploy/deno'))).toBe(false)
  })
})

it('too large a site is refused, with the limit and what helps', () => {
  expect(() => checkLimits('aws-lambda', { files: 10, bytes: 263e6 })).toThrow(
    /^The site is too large for aws-lambda: it needs 263\.0 MB, and at most 262\.1 MB are allowed \(https:.*\)\. Write fewer files with `precompute`/,
  )
  expect(() => checkLimits('cloudflare', { files: 99_999, bytes: 263e6 })).not.toThrow()
})
