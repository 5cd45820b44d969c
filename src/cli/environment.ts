// Environment variables without a flag, by command.

/** A variable and its purpose. */
export interface Variable {
  readonly name: string
  readonly purpose: string
}

const keys: Variable = { name: 'QUARRY_KEYS', purpose: 'keys to add or revoke at run time' }
const workers: Variable = {
  name: 'QUARRY_WORKERS',
  purpose: 'number of rendering threads, 1 to 256',
}
const baseUrl: Variable = { name: 'QUARRY_BASE_URL', purpose: 'URL of the deployment' }

/** Variables by command. */
export const variables: Readonly<Record<string, readonly Variable[]>> = {
  'quarry build': [baseUrl, workers],
  'quarry check': [workers],
  'quarry dev': [baseUrl, workers, keys],
  'quarry serve': [
    keys,
    { name: 'QUARRY_RATE_LIMIT', purpose: 'COUNT/SECONDS or off' },
    { name: 'QUARRY_REDIS_URL', purpose: 'Redis that shares the rate limit between servers' },
    { name: 'QUARRY_TRUSTED_PROXIES', purpose: 'number of proxies in front' },
    { name: 'QUARRY_MCP', purpose: 'on: serve agents at POST /mcp' },
    { name: 'QUARRY_METRICS_PORT', purpose: 'port of the metrics for Prometheus' },
    { name: 'QUARRY_SERVER_TIMING', purpose: 'on: send Server-Timing' },
  ],
  'quarry notify': [{ name: 'QUARRY_NOTIFY_SECRET', purpose: 'secret that signs the changes' }],
}
