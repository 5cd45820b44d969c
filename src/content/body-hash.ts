// The name of a body: what is rendered from it depends on nothing else of its file.
import { hash } from 'node:crypto'

/**
 * SHA-256 of a body and its language, hexadecimal: MDX is rendered otherwise than the same text as Markdown.
 *
 * @param text any: the first U+0000 of what is hashed ends the language
 */
export function bodyHashOf(file: string, text: string): string {
  return hash('sha256', `${file.endsWith('.mdx') ? 'mdx' : 'md'}\0${text}`)
}
