// Sends a request to the service and measures the response.

/** A response as it came. */
export interface ApiResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** Undefined when the text is no JSON. */
  readonly json: unknown
  readonly bytes: number
  /** Until the last byte. */
  readonly milliseconds: number
  /** Where it came from, as `Server-Timing` says; empty when it does not. */
  readonly source: string
}

/** The folder that the page lies in: requests go below it. */
export const baseUrl: string = new URL('.', location.href).href.replace(/\/$/, '')

/** Sends one request, past the browser's cache. @param ask `fetch`, or what responds in its place */
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

/** Returns a `send` for hosts that have files alone: the function of the site responds to requests of v1. */
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
