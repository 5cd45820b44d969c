// The documents of a workspace: responses that are neither resources nor lists of them, each with one path.

/** Documents about all posts of a workspace, for readers other than front ends. */
export type FeedKind = 'feed.xml' | 'atom.xml' | 'feed.json' | 'sitemap.xml' | 'llms.txt'

/** The last segment of the path of a document. */
export type DocumentKind = 'redirects' | 'changes' | FeedKind

/** Documents, as far as parameters distinguish them. */
export type DocumentOperation = 'document' | 'sitemap' | 'changes'

/** A document of the interface. */
export interface DocumentForm {
  /** The versions that have it. */
  readonly versions: readonly ('v1' | 'v2')[]
  /** The name of its file below the folder of the workspace. */
  readonly file: string
  /** As `Content-Type` has it. */
  readonly contentType: string
  readonly operation: DocumentOperation
}

/** Every document, in the order of the documentation. */
export const documentTable: Readonly<Record<DocumentKind, DocumentForm>> = {
  redirects: {
    versions: ['v2', 'v1'],
    file: 'redirects.json',
    contentType: 'application/json',
    operation: 'document',
  },
  changes: {
    versions: ['v2', 'v1'],
    file: 'changes.json',
    contentType: 'application/json',
    operation: 'changes',
  },
  'feed.xml': feed('feed.xml', 'application/rss+xml'),
  'atom.xml': feed('atom.xml', 'application/atom+xml'),
  'feed.json': feed('feed.json', 'application/feed+json'),
  'sitemap.xml': { ...feed('sitemap.xml', 'application/xml'), operation: 'sitemap' },
  'llms.txt': feed('llms.txt', 'text/plain; charset=utf-8'),
}

/** The names of all documents. */
export const documentKinds = Object.keys(documentTable) as readonly DocumentKind[]

/** The documents that a workspace has where `links.post` is an absolute URL. */
export const feedKinds: readonly FeedKind[] = documentKinds.filter(isFeedKind)

/** Posts in one sitemap at most (https://www.sitemaps.org/protocol.html). */
export const sitemapMax = 50_000

/** How many sitemaps name so many posts; there is always one. */
export function sitemapPages(posts: number): number {
  return Math.max(1, Math.ceil(posts / sitemapMax))
}

/** True for the name of a document. */
export function isDocumentKind(name: string): name is DocumentKind {
  return Object.hasOwn(documentTable, name)
}

/** True for the name of a document about all posts. */
export function isFeedKind(name: string): name is FeedKind {
  return isDocumentKind(name) && name.includes('.')
}

/** The name of the file of a page of a document: `sitemap.xml`, `sitemap-2.xml`. */
export function documentFile(kind: DocumentKind, page: number): string {
  const { file } = documentTable[kind]
  return page === 1 ? file : file.replace(/(?=\.\w+$)/, `-${page}`)
}

function feed(file: FeedKind, contentType: string): DocumentForm {
  return { versions: ['v1'], file, contentType, operation: 'document' }
}
