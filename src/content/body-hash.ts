// The name of a body: what is rendered from it depends on nothing else of its file.
import { hash } from 'node:crypto'

/**
 * SHA-256 of a body, hexadecimal. A body of MDX has another one than the same text as Markdown: it is read otherwise.
 *
 * @param text without U+0000
 */
export function bodyHashOf(file: string, text: string): string {
  return hash('sha256', file.endsWith('.mdx') ? `mdx\0${text}` : text)
}
