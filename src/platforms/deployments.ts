// Every host's deployment, by the host's name.
import { awsDeployment } from './aws/deployment.ts'
import { lambdaDeployment } from './aws-lambda/deployment.ts'
import { bunDeployment } from './bun/deployment.ts'
import { cloudflareDeployment } from './cloudflare/deployment.ts'
import { denoDeployment } from './deno/deployment.ts'
import type { HostDeployment } from './deployment.ts'
import type { HostName } from './hosts.ts'
import { netlifyDeployment } from './netlify/deployment.ts'
import { nginxDeployment } from './nginx/deployment.ts'
import { staticDeployment } from './static/deployment.ts'
import { vercelDeployment } from './vercel/deployment.ts'

/** The deployment to each host. */
export const deployments: Readonly<Record<HostName, HostDeployment>> = {
  cloudflare: cloudflareDeployment,
  netlify: netlifyDeployment,
  vercel: vercelDeployment,
  aws: awsDeployment,
  'aws-lambda': lambdaDeployment,
  deno: denoDeployment,
  bun: bunDeployment,
  nginx: nginxDeployment,
  static: staticDeployment,
}
