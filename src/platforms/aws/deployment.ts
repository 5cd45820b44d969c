// The deployment to AWS: bucket objects, a function, and a CloudFormation template with CloudFront in front of both.
import { responsesFolder } from '../../runtime/response-file.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'
import { cloudFrontFunction, filesFolder } from './cloudfront-function.ts'
import { awsTemplate } from './template.ts'

const data = { form: 'whole', folder: 'function/function' } as const

/** CloudFront serves canonical v1 requests and images from the bucket, everything else from the function. */
export const awsDeployment: HostDeployment = {
  folder: 'deploy/aws',
  program: 'function/index.js',
  data,
  media: `${filesFolder}/media`,
  responses: filesFolder,
  stored: `${data.folder}/${responsesFolder}`,
  texts: { 'function/package.json': jsonText({ type: 'module' }) },
  textsOf: (manifest) => {
    const source = cloudFrontFunction(manifest)
    return { 'cloudfront-function.js': source, 'template.json': jsonText(awsTemplate(source)) }
  },
  next: 'aws cloudformation package --template-file deploy/aws/template.json --use-json --s3-bucket ARTIFACTS --output-template-file deploy/aws.json, and the further commands of docs/deploying/aws.md',
}
