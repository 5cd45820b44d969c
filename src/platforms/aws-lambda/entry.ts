// The function that a deployment to AWS Lambda runs, bundled into one file with its data next to it.
import { createLambdaHandlers, type LambdaHandlers } from './handler.ts'

const handlers: LambdaHandlers = createLambdaHandlers(new URL('./function/', import.meta.url))
export const handler: LambdaHandlers['handler'] = handlers.handler
export const streaming: LambdaHandlers['streaming'] = handlers.streaming
