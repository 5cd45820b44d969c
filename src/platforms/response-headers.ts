// The headers of v1 files on hosts that serve them without the function.
import { cacheControl, corsHeaders } from '../runtime/headers.ts'
import type { Header } from '../runtime/http.ts'

/** The full cache times: a file is served only while no scheduled post can change it. */
export const responseCacheControl: string = cacheControl('v1', Number.POSITIVE_INFINITY, 0)

/** The headers of every v1 file besides its type, length and validators. */
export const responseHeaders: readonly Header[] = [
  ...corsHeaders,
  ['cache-control', responseCacheControl],
  ['x-content-type-options', 'nosniff'],
]
