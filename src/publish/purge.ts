// Purges shared caches by tag, as each service documents it.
import { setTimeout as pause } from 'node:timers/promises'
import { UseError } from '../config/use-error.ts'
import type { TaggingCache } from '../platforms/cache-tags.ts'

/** A cache that can remove responses by tag. */
export interface Purger {
  /** @throws Error when a request is refused or fails */
  purge(tags: readonly string[]): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Configures a cache from environment variables.
 *
 * @throws UseError when a variable is missing
 */
export function openPurger(
  cache: TaggingCache,
  environment: Environment,
  { cloudflare, fastly }: { readonly cloudflare: string; readonly fastly: string } = services,
): Purger {
  const read = (name: string) => {
    const value = environment[name]
    if (value) return value
    throw new UseError(`--purge ${cache} needs the environment variable ${name}.`)
  }
  if (cache === 'cloudflare') {
    const url = `${cloudflare}/zones/${encodeURIComponent(read('CLOUDFLARE_ZONE_ID'))}/purge_cache`
    const headers = { authorization: `Bearer ${read('CLOUDFLARE_API_TOKEN')}` }
    return batches(100, (tags) => send(url, jsonRequest(headers, { tags })))
  }
  if (cache === 'fastly') {
    const url = `${fastly}/service/${encodeURIComponent(read('FASTLY_SERVICE_ID'))}/purge`
    const headers = { 'fastly-key': read('FASTLY_API_TOKEN') }
    return batches(256, (tags) => send(url, jsonRequest(headers, { surrogate_keys: tags })))
  }
  cache satisfies 'varnish'
  const urls = read('QUARRY_PURGE_URL').split(',')
  for (const url of urls) {
    if (!URL.canParse(url)) throw new UseError('QUARRY_PURGE_URL is no list of URLs.')
  }
  // Varnish limits a header to 8 KiB, and a tag has at most 1 KiB.
  return batches(8, async (tags) => {
    const request = { method: 'PURGE', headers: { 'xkey-purge': tags.join(' ') } }
    for (const url of urls) await send(url, request)
  })
}

const services = {
  cloudflare: 'https://api.cloudflare.com/client/v4',
  fastly: 'https://api.fastly.com',
} as const

/** Sends one request at a time, because each service limits concurrent requests. */
function batches(size: number, sendBatch: (tags: readonly string[]) => Promise<void>): Purger {
  return {
    purge: async (tags) => {
      for (let at = 0; at < tags.length; at += size) await sendBatch(tags.slice(at, at + size))
    },
  }
}

function jsonRequest(headers: Readonly<Record<string, string>>, body: unknown): RequestInit {
  const json = { ...headers, 'content-type': 'application/json' }
  return { method: 'POST', headers: json, body: JSON.stringify(body) }
}

/** Cloudflare's Free plan refills 5 requests a minute. */
const attemptsMax = 4
const pauseSecondsMax = 60

/** Repeats a request after a 429 or a 5xx, after the time in `Retry-After`. */
async function send(url: string, request: RequestInit): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(url, { ...request, signal, redirect: 'manual' }).catch(explain)
    const text = await response.text()
    if (response.ok) return
    const { status, headers } = response
    const mayPass = status === 429 || status >= 500
    if (!mayPass || attempt === attemptsMax) {
      throw new Error(`the cache responded with status ${status}: ${text.slice(0, 200)}`)
    }
    const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
    await pause(1000 * Math.min(Number.isNaN(seconds) ? 2 ** attempt : seconds, pauseSecondsMax))
  }
}

/** The reason of a failed `fetch`, which is in the error's cause. */
function explain(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined
  throw cause instanceof Error && cause.message !== '' ? cause : error
}
