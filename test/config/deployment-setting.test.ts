import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../src/config/config-schema.ts'
import { resolveSettings } from '../../src/config.ts'

describe('the setting storage', () => {
  it.each([
    ['aws-lambda', 's3', 'aws-lambda-s3'],
    ['cloudflare', 'r2', 'cloudflare-r2'],
    ['aws-lambda', undefined, 'aws-lambda'],
  ] as const)('makes of %s and %s the deployment %s', (platform, storage, name) => {
    expect(resolveSettings({ platform, storage }).platform).toBe(name)
  })

  it.each([
    ['cloudflare', 's3'],
    ['nginx', 'r2'],
  ] as const)('is refused for %s with %s', (platform, storage) => {
    expect(() => resolveSettings({ platform, storage })).toThrow(
      `The host "${platform}" takes no \`storage: '${storage}'\`: 's3' is for aws-lambda`,
    )
  })

  it('is one of the known ones', () => {
    expect(() => checkConfig({ storage: 'ftp' }, 'quarry.config.ts')).toThrow(
      'storage must be "s3" or "r2"',
    )
  })
})
