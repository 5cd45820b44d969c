// The deployment that `platform` and `storage` select together.
import {
  type DeploymentName,
  deploymentName,
  type HostName,
  type StorageName,
} from '../platforms/hosts.ts'
import { UseError } from './use-error.ts'

interface DeploymentSettings {
  readonly platform?: HostName | undefined
  readonly storage?: StorageName | undefined
}

/**
 * Returns the deployment to generate, or undefined for none.
 *
 * @throws UseError when the host's function cannot read from the storage
 */
export function deploymentOf({
  platform,
  storage,
}: DeploymentSettings): DeploymentName | undefined {
  const name = platform === undefined ? undefined : deploymentName(platform, storage)
  if (name !== null) return name
  throw new UseError(
    `The host "${platform}" takes no \`storage: '${storage}'\`: 's3' is for aws-lambda, 'r2' for cloudflare.`,
  )
}
