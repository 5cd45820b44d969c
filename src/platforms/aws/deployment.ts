// The deployment to AWS: objects of a bucket, a function, and a CloudFormation template that puts CloudFront before both.
import { responsesFolder } from '../../runtime/response-file.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'
import { cloudFrontFunction, filesFolder } from './cloudfront-function.ts'
import { awsTemplate } from './template.ts'

const data = { form: 'whole', folder: 'function/function' } as const

/** CloudFront answers canonical requests of v1 and images from the bucket, and everything else from the function. */
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
