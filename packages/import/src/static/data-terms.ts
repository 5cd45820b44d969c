// Adds records of authors, tags and categories from a site's data files.
import type { Terms } from '../terms.ts'
import { authorOf } from './bylines.ts'
import { textAt } from './front.ts'
import type { DefineTerm } from './generator.ts'

/** Adds records to the terms of an import. */
export function defineIn(terms: Terms): DefineTerm {
  return (kind, key, values, from) => {
    if (kind !== 'authors') {
      const name = textAt(values, 'label', 'name', 'title') ?? key
      terms.define({ kind, key, name, body: textAt(values, 'description') ?? '', from })
      return
    }
    const author = authorOf(values, key)
    if (author === undefined) return
    const { bio, ...fields } = author.fields
    terms.define({ kind, key, name: author.name, fields, body: String(bio ?? ''), from })
  }
}
