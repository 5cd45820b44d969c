// The suite, on the example for AWS, behind CloudFront as its documents describe it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../support/empty-folder.ts'
import { openCloudFront } from './cloudfront.ts'
import { defineFiles } from './files.ts'
import { defineConformance } from './suite.ts'

const example = join(import.meta.dirname, '../../examples/aws')

defineConformance('CloudFront before a bucket and Lambda', openCloudFront)

defineFiles('CloudFront', openCloudFront, { isUnaware: true })

describe('a deployment to AWS', () => {
  it('has a CloudFront Function within the size and the language that are allowed', () => {
    const source = readFileSync(join(example, 'cloudfront-function.js'))
    expect(source.length).toBeLessThan(10 * 1024)
    // Of the runtime's language nothing that is newer than ES 5.1, but for the import.
    expect(source.toString()).not.toMatch(/=>|`|\b(?:let|const|class|async)\b/)
  })

  it('says nothing of one client to another', async () => {
    const host = await openCloudFront()
    const { headers } = await host.request('/v1/acme/posts?query=body')
    await host.close?.()
    const about = ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    expect(about.map((name) => headers.get(name))).toEqual([null, null, null, null])
    expect(headers.get('x-amz-cf-id')).not.toBeNull()
  })

  it('answers nobody but CloudFront', async () => {
    const host = await openCloudFront()
    const spoofed = { 'x-quarry-target': '/v2/posts', 'x-quarry-client': '192.0.2.8' }
    const response = await host.request('/v1/beta/posts', { headers: spoofed })
    expect([response.status, (await response.text()).startsWith('{"posts":')]).toEqual([200, true])
    process.env['QUARRY_ORIGIN'] = 'another secret'
    const refused = await host.request('/v2/posts', {
      headers: { authorization: `Bearer ${host.site.keys.full}` },
    })
    expect(refused.status).toBe(403)
    await host.close?.()
  })

  const lint = spawnSync('cfn-lint', ['--version']).status === 0
  it.skipIf(!lint)('has a template without a finding of cfn-lint', async () => {
    const template = JSON.parse(readFileSync(join(example, 'template.json'), 'utf8'))
    // As `aws cloudformation package` writes it.
    template.Resources.Function.Properties.Code = { S3Bucket: 'artifacts', S3Key: 'key' }
    const file = join(emptyFolder(), 'packaged.json')
    writeFileSync(file, JSON.stringify(template))
    const { status, stdout } = spawnSync('cfn-lint', [file], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })
})
