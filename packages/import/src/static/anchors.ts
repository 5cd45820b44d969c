// Fixes links to headings within a post: quarry derives heading ids differently than the site did.

import Slugger from 'github-slugger'
import { decoded, trimmedEnd } from '../parts.ts'
import { maskCode } from './code-mask.ts'
import { rewriteDestinations } from './destinations.ts'

/**
 * Rewrites links `#id` to the ids that quarry generates. A link to an unknown id leads to the heading with the same
 * letters and digits, if exactly one has them.
 */
export function anchorsToHeadings(body: string, changed: (what: string) => void): string {
  if (!/(?:\]\(\s*<?|\]:[ \t]*|href=["']?)#/.test(body)) return body
  const ids = headingIds(body)
  const byLetters = new Map<string, string | null>()
  for (const id of ids) byLetters.set(letters(id), byLetters.has(letters(id)) ? null : id)
  return rewriteDestinations(body, (url) => {
    const id = url.startsWith('#') ? decoded(url.slice(1)) : ''
    const meant = id === '' || ids.has(id) ? null : byLetters.get(letters(id))
    // The site's author wrote this id explicitly.
    if (typeof meant !== 'string' || isWritten(body, id)) return url
    changed('link to a heading → its id')
    return `#${meant}`
  })
}

/** GitHub's ids of the headings, except those with markup that only the renderer can parse. */
function headingIds(body: string): ReadonlySet<string> {
  const slugger = new Slugger()
  const masked = maskCode(body)
  const ids = [...masked.matchAll(heading)].map((match) => {
    const line = body.slice(match.index, match.index + match[0].length)
    const text = withoutMarks(line)
    const [, written] = /\{#([^\s{}]+)\}$/.exec(text) ?? []
    return written ?? slugger.slug(plainText(text))
  })
  return new Set(ids)
}

const heading = /^ {0,3}#{1,6}[ \t].*$|^[^\s>#|-].*\n(?:=+|-{2,})[ \t]*$/gm

/** The text of a heading: without number signs around it, and without the line below it. */
function withoutMarks(heading: string): string {
  const [line = ''] = heading.replace(/^ {0,3}#{1,6}[ \t]/, '').split('\n', 1)
  const text = trimmedEnd(line, ' \t')
  const open = trimmedEnd(text, '#')
  return /(?:^|[ \t])$/.test(open) ? open.trim() : text.trim()
}

function plainText(text: string): string {
  return text
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .trim()
}

function letters(id: string): string {
  return id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function isWritten(body: string, id: string): boolean {
  return ['"', "'", ''].some(
    (sign) => body.includes(`id=${sign}${id}`) || body.includes(`name=${sign}${id}`),
  )
}
