import { describe, expect, it } from 'vitest'
import { UseError } from '../../src/config.ts'
import { readCredentials, readLocation, type S3Flags } from '../../src/publish/s3-location.ts'

const location = (text: string, flags: S3Flags = {}, environment: Record<string, string> = {}) =>
  readLocation(text, flags, environment)

describe('the location of a bucket', () => {
  it.each<[string, S3Flags, Record<string, string>, string, string]>([
    ['s3://b-1/site', {}, {}, 'https://b-1.s3.us-east-1.amazonaws.com/', 'site/'],
    ['s3://b-1', {}, { AWS_REGION: 'eu-west-1' }, 'https://b-1.s3.eu-west-1.amazonaws.com/', ''],
    ['s3://b.1/a//b/', {}, {}, 'https://s3.us-east-1.amazonaws.com/b.1/', 'a/b/'],
    ['s3://bucket/a', { endpoint: 'http://h:9000' }, {}, 'http://h:9000/bucket/', 'a/'],
    ['s3://bucket', { endpoint: 'https://h/s3/' }, {}, 'https://h/s3/bucket/', ''],
    ['s3://bucket', { endpoint: 'https://h:1', virtualHost: true }, {}, 'https://bucket.h:1/', ''],
    [
      's3://bucket',
      {},
      { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_S3: 'http://one' },
      'http://one/bucket/',
      '',
    ],
  ])('of %s with %j and %j is %s', (text, flags, environment, bucketUrl, prefix) => {
    expect(location(text, flags, environment)).toMatchObject({ bucketUrl, prefix })
  })

  it.each(['', 'bucket', 'https://bucket', 's3://', 's3://b', 's3:///a', 's3://bucket/../other'])(
    'is not in %j',
    (text) => {
      expect(() => location(text)).toThrow(UseError)
    },
  )

  it.each(['h:9000', 'ftp://h', 'http://h/?a=1', 'http://user:password@h'])(
    'has no endpoint %j',
    (endpoint) => {
      expect(() => location('s3://bucket', { endpoint })).toThrow(UseError)
    },
  )
})

describe('credentials', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

  it('come from the environment', () => {
    expect(readCredentials(keys)).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' })
    expect(readCredentials({ ...keys, AWS_SESSION_TOKEN: 'token' })).toMatchObject({
      sessionToken: 'token',
    })
  })

  it.each(Object.keys(keys))('need %s, and no message shows them', (name) => {
    expect(() => readCredentials({ ...keys, [name]: '' })).toThrow(/^Set AWS_ACCESS_KEY_ID and/)
  })
})
