// Reads a request's raw headers, alternating names and values, repetitions included. Node's headers object drops
// repetitions, and costs more to build than the few look-ups of a response.

/**
 * Returns the value of a header, or null when absent. Repeated headers are joined with `, ` (RFC 9110 §5.3), so that
 * a second Authorization is never silently dropped.
 *
 * @param name in lower case
 */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!isNamed(rawHeaders[at], name)) continue
    const value = rawHeaders[at + 1] ?? ''
    found = found === null ? value : `${found}, ${value}`
  }
  return found
}

/** Returns the number of times that a header occurs. */
export function countHeaders(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isNamed(rawHeaders[at], name)) count += 1
  return count
}

/** Returns the size of all headers as sent, each with its `: ` and line end. */
export function headersSize(rawHeaders: readonly string[]): number {
  let size = 2 * rawHeaders.length
  for (const part of rawHeaders) size += part.length
  return size
}

function isNamed(found: string | undefined, name: string): boolean {
  return found?.length === name.length && found.toLowerCase() === name
}
