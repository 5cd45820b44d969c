import { unwrap } from 'quarry-client'
import { contentOf } from '$lib/content.js'

export const load = async ({ fetch }) => ({
  posts: unwrap(await contentOf(fetch).posts.collect({ excludeContent: true })),
})
