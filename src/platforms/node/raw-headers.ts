// A request's headers as they came: names and values taking turns, repeated ones as often as they were sent. Node's own
// object of them drops repeated ones, and costs more to make than the few look-ups of a response.

/**
 * A header's value; several of one name joined with `, ` (RFC 9110 §5.3), so that a second Authorization is
 * never dropped unseen; null when there is none.
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

/** How often a header was sent. */
export function countHeaders(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isNamed(rawHeaders[at], name)) count += 1
  return count
}

/** Bytes of all headers as they were sent, each with its `: ` and its line end. */
export function headersSize(rawHeaders: readonly string[]): number {
  let size = 2 * rawHeaders.length
  for (const part of rawHeaders) size += part.length
  return size
}

function isNamed(found: string | undefined, name: string): boolean {
  return found?.length === name.length && found.toLowerCase() === name
}
