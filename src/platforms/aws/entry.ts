// The entry point of an AWS deployment behind CloudFront, bundled into one file with its data next to it.
import { createLambdaHandlers, type LambdaHandlers } from '../aws-lambda/handler.ts'
import { originEvent } from './origin-headers.ts'

const handlers: LambdaHandlers = createLambdaHandlers(
  new URL('./function/', import.meta.url),
  (event) => originEvent(event, process.env['QUARRY_ORIGIN'] || undefined),
)
export const streaming: LambdaHandlers['streaming'] = handlers.streaming
