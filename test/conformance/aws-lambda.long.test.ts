// The suite, on what a build for AWS Lambda wrote, by the events of both its front doors, buffered and streamed.
import { openLambda } from './functions.ts'
import { defineConformance } from './suite.ts'

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
  'is not there by no encoding': 'an HTTP API refuses such a path itself',
  ' - malformed': 'an HTTP API refuses such a path itself',
  ' - decoded': 'an HTTP API decodes the path before any function sees it',
})
