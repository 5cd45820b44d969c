// All deployments, by host name.
import { lambdaDeployment } from './aws-lambda/deployment.ts'
import { bunDeployment } from './bun/deployment.ts'
import { cloudflareDeployment } from './cloudflare/deployment.ts'
import { denoDeployment } from './deno/deployment.ts'
import type { HostDeployment } from './deployment.ts'
import type { HostName } from './hosts.ts'
import { netlifyDeployment } from './netlify/deployment.ts'
import { staticDeployment } from './static/deployment.ts'
import { vercelDeployment } from './vercel/deployment.ts'

export const deployments: Readonly<Record<HostName, HostDeployment>> = {
  cloudflare: cloudflareDeployment,
  netlify: netlifyDeployment,
  vercel: vercelDeployment,
  'aws-lambda': lambdaDeployment,
  deno: denoDeployment,
  bun: bunDeployment,
  static: staticDeployment,
}
