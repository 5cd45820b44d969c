// The service worker: responds to the v1 requests of the pages of its site, on a host without a function.
//
//     navigator.serviceWorker.register('quarry-sw.js')
import createFunction from './browser.ts'

declare const self: ServiceWorkerGlobalScope

const base = new URL('./', self.location.href).href
const respond = createFunction({ base, files: true })

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
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
self.addEventListener('message', (event) => {
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
