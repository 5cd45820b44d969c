import { error } from '@sveltejs/kit'
import { contentOf } from '$lib/content.js'

export async function load({ fetch, params }) {
  const result = await contentOf(fetch).posts.get(params.slug)
  if (!result.ok) error(result.error.type === 'not-found' ? 404 : 502, result.error.message)
  return { post: result.data }
}
