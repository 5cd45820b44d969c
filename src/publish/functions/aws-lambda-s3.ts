// The function that a deployment to AWS Lambda runs with `storage: 's3'`, bundled into one file.
import { type LambdaHandlers, lambdaHandlers } from '../../platforms/aws-lambda/handler.ts'
import { createBucketHandler } from './handler.ts'
import { s3Bucket } from './s3-bucket.ts'

const handlers: LambdaHandlers = lambdaHandlers(
  createBucketHandler({ openBucket: () => s3Bucket(process.env), environment: process.env }),
)
export const handler: LambdaHandlers['handler'] = handlers.handler
export const streaming: LambdaHandlers['streaming'] = handlers.streaming
