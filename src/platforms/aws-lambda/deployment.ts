// The deployment to AWS Lambda: a module with two handlers, and the function's files next to it, to be zipped.
import { responsesFolder } from '../../runtime/response-file.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'

/** The handler is `index.handler`, or `index.streaming` behind a function URL that streams. */
export const lambdaDeployment: HostDeployment = {
  folder: 'deploy/aws-lambda',
  program: 'index.js',
  data: { form: 'whole', folder: 'function' },
  // A zip is no place for them: it is small, and a handler that does not stream gives 4 MB of an image at most.
  media: null,
  responses: null,
  stored: `function/${responsesFolder}`,
  texts: { 'package.json': jsonText({ type: 'module' }) },
  next: 'cd deploy/aws-lambda && zip -qr ../aws-lambda.zip . && aws lambda update-function-code --function-name NAME --zip-file fileb://../aws-lambda.zip',
}

/** The program alone: it reads the build that `quarry publish` put into a bucket. */
export const lambdaBucketDeployment: HostDeployment = {
  folder: lambdaDeployment.folder,
  program: 'index.js',
  data: { form: 'bucket' },
  media: null,
  responses: null,
  texts: lambdaDeployment.texts,
  next: lambdaDeployment.next,
}
