// Tells paths from addresses.
// Knows nothing of what a path leads to.

/** A relative path: neither from the root, nor a fragment or a query alone, nor with a scheme. */
export function isRelativePath(url: string): boolean {
  return url !== '' && !/^[/\\#?]/.test(url) && !/^[a-z][a-z0-9+.-]*:/iu.test(url)
}
