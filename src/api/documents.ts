// The documents of a workspace: responses that are neither resources nor lists of them, each with one path.

/** The last segment of the path of a document. */
export type DocumentKind = 'redirects'

/** A document of the interface. */
export interface DocumentForm {
  /** The versions that have it. */
  readonly versions: readonly ('v1' | 'v2')[]
  /** The name of its file below the folder of the workspace. */
  readonly file: string
  /** As `Content-Type` has it. */
  readonly contentType: string
  /** For the OpenAPI document: a noun phrase. */
  readonly summary: string
}

/** Every document, in the order of the documentation. */
export const documentTable: Readonly<Record<DocumentKind, DocumentForm>> = {
  redirects: {
    versions: ['v2', 'v1'],
    file: 'redirects.json',
    contentType: 'application/json',
    summary: 'List redirects from old slugs',
  },
}

/** The names of all documents. */
export const documentKinds = Object.keys(documentTable) as readonly DocumentKind[]

/** True for the name of a document. */
export function isDocumentKind(name: string): name is DocumentKind {
  return Object.hasOwn(documentTable, name)
}
