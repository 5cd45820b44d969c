// A workspace with its drafts, for requests that may read drafts.
import type { Author, Post, Term } from '../api/resources.ts'
import type { Workspace } from './library.ts'
import { compareTerms } from './order.ts'
import { inPublicationOrder } from './posts.ts'

/**
 * Returns a workspace with drafts among its posts, and with terms that only drafts name; null if no drafts were loaded.
 */
export function withDrafts(workspace: Workspace): Workspace | null {
  if (workspace.draftPosts.length === 0) return null
  const categories = new TermsById<Term>(workspace.categories)
  const tags = new TermsById<Term>(workspace.tags)
  const authors = new TermsById<Author>(workspace.authors)
  const drafts = workspace.draftPosts.map((draft) => {
    const post: Post = {
      ...draft.post,
      authors: draft.post.authors.map((author) => authors.known(author)),
      category: categories.known(draft.post.category),
      tags: draft.post.tags.map((tag) => tags.known(tag)),
    }
    return { ...draft, post }
  })
  return {
    ...workspace,
    posts: inPublicationOrder([...workspace.posts, ...drafts]),
    categories: categories.sorted,
    tags: tags.sorted,
    authors: authors.sorted,
  }
}

/** Terms by id. Two drafts that create one term share it, as the first draft defines it. */
class TermsById<T extends Term | Author> {
  readonly #byId: Map<string, T>

  constructor(terms: readonly T[]) {
    this.#byId = new Map(terms.map((term) => [term.id, term]))
  }

  known(term: T): T {
    const known = this.#byId.get(term.id) ?? term
    this.#byId.set(term.id, known)
    return known
  }

  get sorted(): readonly T[] {
    return [...this.#byId.values()].sort(compareTerms)
  }
}
