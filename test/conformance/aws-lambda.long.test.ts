// The suite, on what a build for AWS Lambda wrote, by the events of both its front doors, buffered and streamed.
import { openLambda } from './functions.ts'
import { defineConformance } from './suite.ts'

const decoded = 'an HTTP API decodes the path before any function sees it'
const refused = 'an HTTP API refuses such a path itself'

const withoutImages = { 'an image': 'they are not in the zip' }

defineConformance(
  'Lambda behind a function URL',
  () => openLambda('function URL', false),
  withoutImages,
)
defineConformance(
  'Lambda behind a function URL that streams',
  () => openLambda('function URL', true),
  withoutImages,
)
defineConformance('Lambda behind an HTTP API', () => openLambda('HTTP API', false), {
  ...withoutImages,
  'is not there by no encoding': refused,
  'for /v1/acme%2fposts': decoded,
  'for /v1/%2e%2e%2f/posts': decoded,
  'is asked for before anything is said of v2/posts/%': refused,
  'for /v1/acme/posts/%, which is not percent-encoded UTF-8': refused,
  'for /v1/acme/posts/%e9, which is not percent-encoded UTF-8': refused,
  'for /v1/%c0%af/posts, which is not percent-encoded UTF-8': refused,
  'for /v1/acme/posts/%zz, which is not percent-encoded UTF-8': refused,
})
