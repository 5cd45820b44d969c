// All deployments, by host name.
import { awsDeployment } from './aws/deployment.ts'
import { lambdaBucketDeployment, lambdaDeployment } from './aws-lambda/deployment.ts'
import { bunDeployment } from './bun/deployment.ts'
import { cloudflareBucketDeployment, cloudflareDeployment } from './cloudflare/deployment.ts'
import { denoDeployment } from './deno/deployment.ts'
import type { HostDeployment } from './deployment.ts'
import type { DeploymentName } from './hosts.ts'
import { netlifyDeployment } from './netlify/deployment.ts'
import { nginxDeployment } from './nginx/deployment.ts'
import { staticDeployment } from './static/deployment.ts'
import { vercelDeployment } from './vercel/deployment.ts'

export const deployments: Readonly<Record<DeploymentName, HostDeployment>> = {
  cloudflare: cloudflareDeployment,
  netlify: netlifyDeployment,
  vercel: vercelDeployment,
  aws: awsDeployment,
  'aws-lambda': lambdaDeployment,
  deno: denoDeployment,
  bun: bunDeployment,
  nginx: nginxDeployment,
  static: staticDeployment,
  'aws-lambda-s3': lambdaBucketDeployment,
  'cloudflare-r2': cloudflareBucketDeployment,
}
