import { createClient } from 'quarry-client'

// Pages are made again a minute after a change; `revalidateTag('posts')` does so at once.
export const content = createClient({
  url: process.env.QUARRY_URL ?? 'http://127.0.0.1:4321',
  workspace: 'handbook',
  init: { next: { revalidate: 60, tags: ['posts'] } },
})
