// The deployment to AWS Lambda: a module with two handlers and the function's files next to it, to be zipped.
import { responsesFolder } from '../../runtime/response-file.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'

/** The handler is `index.handler`, or `index.streaming` for a function URL with streaming. */
export const lambdaDeployment: HostDeployment = {
  folder: 'deploy/aws-lambda',
  program: 'index.js',
  data: { form: 'whole', folder: 'function' },
  // Images stay out of the zip: its size is limited, and a buffered handler returns at most 4 MB of an image.
  media: null,
  responses: null,
  stored: `function/${responsesFolder}`,
  texts: { 'package.json': jsonText({ type: 'module' }) },
  next: 'cd deploy/aws-lambda && zip -qr ../aws-lambda.zip . && aws lambda update-function-code --function-name NAME --zip-file fileb://../aws-lambda.zip',
}
