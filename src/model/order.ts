// The total orders of resources. Every tie is broken, so that all machines agree.
import { compareCodePoints } from '../api/bytes.ts'

/** Compares posts: latest first, equal dates by id, descending. */
export function comparePosts(a: Dated, b: Dated): number {
  return compareCodePoints(b.publishedAt, a.publishedAt) || compareCodePoints(b.id, a.id)
}

/** Compares categories, tags or authors by lower-cased name, then by id, both ascending. */
export function compareTerms(a: Named, b: Named): number {
  return (
    compareCodePoints(a.name.toLowerCase(), b.name.toLowerCase()) || compareCodePoints(a.id, b.id)
  )
}

interface Dated {
  readonly publishedAt: string
  readonly id: string
}

interface Named {
  readonly name: string
  readonly id: string
}
