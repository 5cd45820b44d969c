// The entry point of an AWS Lambda deployment, bundled into one file with its data next to it. Behind CloudFront,
// `QUARRY_ORIGIN` is the secret of the two.
import { createLambdaHandlers, type LambdaHandlers } from './handler.ts'
import { originEvent } from './origin-headers.ts'

const handlers: LambdaHandlers = createLambdaHandlers(
  new URL('./function/', import.meta.url),
  (event) => originEvent(event, process.env['QUARRY_ORIGIN'] || undefined),
)
export const handler: LambdaHandlers['handler'] = handlers.handler
export const streaming: LambdaHandlers['streaming'] = handlers.streaming
