// The hash of a body: its rendering depends on nothing else in the file.
import { hash } from 'node:crypto'

/**
 * SHA-256 of a body and its language, hexadecimal: MDX renders differently from the same text as Markdown.
 *
 * @param text may contain U+0000: the first one in the hashed text ends the language
 */
export function bodyHashOf(file: string, text: string): string {
  return hash('sha256', `${file.endsWith('.mdx') ? 'mdx' : 'md'}\0${text}`)
}
