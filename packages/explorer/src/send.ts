// Sends a request to the service and measures the response.

/** A received response. */
export interface ApiResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** The parsed text; undefined if it is not JSON. */
  readonly json: unknown
  readonly bytes: number
  /** Time until the last byte. */
  readonly milliseconds: number
  /** Source of the response in `Server-Timing`; empty without that header. */
  readonly source: string
}

/** URL of the folder that contains the page. Requests are sent to URLs below it. */
export const baseUrl: string = new URL('.', location.href).href.replace(/\/$/, '')

/** Sends one request without the browser's cache. @param ask `fetch`, or a replacement */
export async function send(
  path: string,
  key: string | null,
  signal: AbortSignal | null = null,
  ask: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<ApiResponse> {
  const started = performance.now()
  const response = await ask(baseUrl + path, {
    cache: 'no-store',
    credentials: 'omit',
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    signal,
  })
  const body = await response.arrayBuffer()
  const milliseconds = performance.now() - started
  const text = new TextDecoder().decode(body)
  const timing = response.headers.get('server-timing') ?? ''
  const own = timing.split(',').find((entry) => /\bapp;/.test(entry)) ?? ''
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    text,
    json: parseJson(text),
    bytes: body.byteLength,
    milliseconds,
    source: /desc="?(\w+)/.exec(own)?.[1] ?? '',
  }
}

export type Send = (
  path: string,
  key: string | null,
  signal?: AbortSignal | null,
) => Promise<ApiResponse>

/** Returns a `send` for hosts without a function. The site's function for browsers responds to v1 requests. */
export function sendToFunction(): Send {
  let loaded: Promise<(request: Request) => Promise<Response>> | undefined
  const load = async () => {
    const { default: createFunction } = await import(`${baseUrl}/quarry-function.js`)
    return createFunction({ base: `${baseUrl}/`, files: true })
  }
  const ask = async (url: string, init: RequestInit) => {
    loaded ??= load()
    return (await loaded)(new Request(url, init))
  }
  return (path, key, signal) => send(path, key, signal, path.startsWith('/v1/') ? ask : fetch)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
