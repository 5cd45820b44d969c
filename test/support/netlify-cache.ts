// Netlify's cache before a function, by the rules of its documentation: only GET, only where the function opts in, by
// path and the parameters of `Netlify-Vary`, emptied by each deployment.
// https://docs.netlify.com/build/caching/caching-overview, read on 2026-11-23

/** How parameters are read: its documentation does not say. */
export const queryReadings = [
  ...(['raw, first value', 'raw, all values', 'decoded, first value'] as const),
  'decoded, all values',
] as const

type QueryReading = (typeof queryReadings)[number]

/** Names of parameters, or all of them (`Netlify-Vary: query`). */
type Variation = readonly string[] | 'all'

interface Kept {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: ArrayBuffer
  readonly until: number
}

/** A cache before a function. */
export class NetlifyCache {
  readonly #kept = new Map<string, Kept>()
  /** By path: the variation that its responses ask for. */
  readonly #vary = new Map<string, Variation>()
  readonly #reading: QueryReading
  readonly #send: (request: Request) => Promise<Response>
  /** Requests that reached the function. */
  passed = 0

  constructor(send: (request: Request) => Promise<Response>, reading: QueryReading) {
    this.#send = send
    this.#reading = reading
  }

  async send(request: Request, now: number): Promise<Response> {
    const { pathname } = new URL(request.url)
    const known = this.#vary.get(pathname)
    const kept = known === undefined ? undefined : this.#kept.get(this.#key(request, known))
    if (request.method === 'GET' && kept !== undefined && now < kept.until) {
      return new Response(kept.body, {
        status: kept.status,
        headers: kept.headers.map(([a, b]): [string, string] => [a, b]),
      })
    }
    this.passed += 1
    const response = await this.#send(request)
    const control = response.headers.get('netlify-cdn-cache-control')
    if (request.method !== 'GET' || control === null) return response
    const vary = response.headers.get('netlify-vary')
    const names = vary === 'query' ? 'all' : /^query=(.+)$/.exec(vary ?? '')?.[1]?.split('|')
    const seconds = Number(/max-age=(\d+)/.exec(control)?.[1])
    if (names === undefined || Number.isNaN(seconds)) throw new Error(`${control}; ${vary}`)
    this.#vary.set(pathname, names)
    const headers = [...response.headers].filter(([name]) => !name.startsWith('netlify-'))
    const entry = {
      status: response.status,
      headers,
      body: await response.arrayBuffer(),
      until: now + seconds * 1000,
    }
    this.#kept.set(this.#key(request, names), entry)
    return new Response(entry.body, { status: entry.status, headers })
  }

  #key({ url }: Request, variation: Variation): string {
    const { pathname, search } = new URL(url)
    const isRaw = this.#reading.startsWith('raw')
    const pairs = isRaw
      ? search
          .slice(1)
          .split('&')
          .map((part) => [part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)])
      : [...new URLSearchParams(search)]
    const names =
      variation === 'all' ? [...new Set(pairs.map(([name = '']) => name))].sort() : variation
    const values = names.map((name) => {
      const all = pairs.filter(([known]) => known === name).map(([, value]) => value)
      const read = this.#reading.endsWith('first value') ? all.slice(0, 1) : all
      return variation === 'all' ? [name, ...read] : read
    })
    return `${pathname} ${JSON.stringify(values)}`
  }
}
