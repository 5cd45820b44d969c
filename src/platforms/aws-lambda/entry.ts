// The entry point of an AWS Lambda deployment, bundled into one file with its data next to it.
import { createLambdaHandlers, type LambdaHandlers } from './handler.ts'

const handlers: LambdaHandlers = createLambdaHandlers(new URL('./function/', import.meta.url))
export const handler: LambdaHandlers['handler'] = handlers.handler
export const streaming: LambdaHandlers['streaming'] = handlers.streaming
