// The suite, on functions that read a build from a bucket that it was published to.
import { afterAll, beforeAll, describe } from 'vitest'
import { provideCeph, type S3Server, startCeph } from '../support/ceph.ts'
import { openBucketLambda } from './functions.ts'
import { openBucketCloudflare } from './programs.ts'
import { defineConformance } from './suite.ts'

const reason = provideCeph()
let ceph: S3Server

describe.skipIf(reason !== null)('a bucket of Ceph', () => {
  beforeAll(async () => {
    ceph = await startCeph()
  }, 180_000)
  afterAll(() => ceph?.stop())

  const withoutImages = { 'an image': 'they are not in the zip' }
  defineConformance('Lambda over S3', () => openBucketLambda(ceph, false), withoutImages)
  defineConformance('Lambda over S3, streaming', () => openBucketLambda(ceph, true), withoutImages)
  defineConformance('Cloudflare over R2', () => openBucketCloudflare(ceph), {
    'is measured for HEAD: an image': 'assets come without their length, and HEAD may leave it out',
  })
})
