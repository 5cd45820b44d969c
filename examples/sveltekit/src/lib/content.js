import { createClient } from 'quarry-client'
import { env } from '$env/dynamic/private'

/** SvelteKit's own `fetch` puts responses into the page, so that a browser does not request them again. */
export const contentOf = (fetch) =>
  createClient({ url: env.QUARRY_URL ?? 'http://127.0.0.1:4321', workspace: 'handbook', fetch })
