// The headers around a file of v1, on hosts that serve it without the function.
import { cacheControl, corsHeaders } from '../runtime/headers.ts'
import type { Header } from '../runtime/http.ts'

/** The cache times of a file: the full ones, because a file is served only while nothing scheduled can change it. */
export const responseCacheControl: string = cacheControl('v1', Number.POSITIVE_INFINITY, 0)

/** The headers of every file of v1 next to its type, its length and its validators. */
export const responseHeaders: readonly Header[] = [
  ...corsHeaders,
  ['cache-control', responseCacheControl],
  ['x-content-type-options', 'nosniff'],
]
