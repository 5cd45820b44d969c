// The service worker: responds to the v1 requests of the pages of its site, on a host without a function.
//
//     navigator.serviceWorker.register('quarry-sw.js')
import createFunction from './browser.ts'

/** The used part of a service worker's scope. */
interface Scope {
  readonly location: { readonly href: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(
    type: string,
    listener: (event: {
      readonly request: Request
      readonly data: unknown
      readonly ports: readonly { postMessage(message: unknown): void }[]
      respondWith(response: Promise<Response>): void
      waitUntil(work: Promise<unknown>): void
    }) => void,
  ): void
}

const scope = globalThis as unknown as Scope
const base = new URL('./', scope.location.href).href
const respond = createFunction({ base, files: true })

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  const { method, url } = event.request
  if (method === 'GET' && url.startsWith(`${base}v1/`)) event.respondWith(reply(event.request))
})

/** Responds to a request. A path that ends in `.json` and is not a resource may be a file of the host. */
async function reply(request: Request): Promise<Response> {
  const response = await respond(request)
  const isFile = response.status === 404 && new URL(request.url).pathname.endsWith('.json')
  return isFile ? fetch(request) : response
}

// `{ sync: 'WORKSPACE' }` fetches all data of a workspace; the answer is null, or the reason for a failure.
scope.addEventListener('message', (event) => {
  const { sync } = (event.data ?? {}) as { readonly sync?: string }
  if (sync === undefined) return
  const answer = (message: unknown) => event.ports[0]?.postMessage(message)
  event.waitUntil(
    respond.sync(sync).then(
      () => answer(null),
      (error) => answer(String(error)),
    ),
  )
})
