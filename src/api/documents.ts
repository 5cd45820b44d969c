// Documents of a workspace: responses other than resources and lists, each with its own path.

/** Documents of all posts of a workspace, for readers other than front ends. */
export type FeedKind =
  | 'feed.xml'
  | 'atom.xml'
  | 'feed.json'
  | 'sitemap.xml'
  | 'llms.txt'
  | 'llms-full.txt'

/** Last path segment of a document. */
export type DocumentKind = 'redirects' | 'changes' | FeedKind

/** Operations that return documents, by the parameters that they take. */
export type DocumentOperation = 'document' | 'sitemap' | 'changes'

/** Every document, in documentation order. */
export const documentTable: Readonly<
  Record<DocumentKind, { readonly contentType: string; readonly operation: DocumentOperation }>
> = {
  redirects: { contentType: 'application/json', operation: 'document' },
  changes: { contentType: 'application/json', operation: 'changes' },
  'feed.xml': { contentType: 'application/rss+xml', operation: 'document' },
  'atom.xml': { contentType: 'application/atom+xml', operation: 'document' },
  'feed.json': { contentType: 'application/feed+json', operation: 'document' },
  'sitemap.xml': { contentType: 'application/xml', operation: 'sitemap' },
  'llms.txt': { contentType: 'text/plain; charset=utf-8', operation: 'document' },
  'llms-full.txt': { contentType: 'text/plain; charset=utf-8', operation: 'document' },
}

/** Names of all documents. */
export const documentKinds = Object.keys(documentTable) as readonly DocumentKind[]

/** Documents that v1 has if `links.post` is an absolute URL. */
export const feedKinds: readonly FeedKind[] = documentKinds.filter(isFeedKind)

/** Maximum number of posts per sitemap (https://www.sitemaps.org/protocol.html). */
export const sitemapMax = 50_000

/** Returns the number of sitemaps for a number of posts, at least 1. */
export function sitemapPages(posts: number): number {
  return Math.max(1, Math.ceil(posts / sitemapMax))
}

/** Reports whether a document has this name. */
export function isDocumentKind(name: string): name is DocumentKind {
  return Object.hasOwn(documentTable, name)
}

/** Reports whether a document of all posts has this name. */
export function isFeedKind(name: string): name is FeedKind {
  return isDocumentKind(name) && name.includes('.')
}

/** Returns the file name of a page of a document: `sitemap.xml`, `sitemap-2.xml`. */
export function documentFile(kind: DocumentKind | 'collections', page: number): string {
  const file = isFeedKind(kind) ? kind : `${kind}.json`
  return page === 1 ? file : file.replace(/(?=\.\w+$)/, `-${page}`)
}
