// The translation of a body, as a list of steps: each reports what it changes.
import { anchorsToHeadings } from './anchors.ts'
import { replaceOutsideCode } from './code-mask.ts'
import { withoutComments } from './comments.ts'
import { linkTo, pageOf } from './embeds.ts'
import type { Step } from './generator.ts'
import { withoutUnshown } from './unshown.ts'

/** The steps of every site around those of a generator. */
export function stepsOf(own: readonly Step[]): readonly Step[] {
  return [
    { name: 'comments', run: withoutComments },
    { name: 'hidden elements', run: withoutUnshown },
    ...own,
    // Templates of the site may hide text too.
    ...(own.length === 0 ? [] : [{ name: 'hidden elements of templates', run: withoutUnshown }]),
    { name: 'embedded pages', run: embedsToLinks },
    { name: 'mark of the excerpt', run: excerptMarks },
    { name: 'links to headings', run: (text, { changed }) => anchorsToHeadings(text, changed) },
  ]
}

/** Excerpt markers of Hugo, Jekyll, Docusaurus and WordPress. */
const excerptMark =
  /<!--[ \t]*(?:more|truncate|excerpt|read ?more|end[- ]excerpt)[ \t]*-->|\{\/\*[ \t]*truncate[ \t]*\*\/\}/gi

/** CommonMark does not parse text after a comment at the start of a line as Markdown. */
const excerptMarks: Step['run'] = (text) =>
  text
    .replace(excerptMark, '<!-- more -->')
    .replace(/^( {0,3}<!-- more -->)[ \t]*(?=\S)/gm, '$1\n\n')

const frame = /<(iframe|embed)\b[^<>]{0,4000}>(?:[^<]{0,1000}<\/\1>)?/gi
const player = /<(video|audio|object)\b[^<>]{0,4000}>(?:(?!<\/?\1\b)[\s\S]){0,4000}?<\/\1>/gi

/** Replaces embedded pages and players by links, as a content API cannot serve them. */
const embedsToLinks: Step['run'] = (body, { changed }) =>
  [frame, player].reduce(
    (text, pattern) =>
      replaceOutsideCode(text, pattern, ([whole = '']) => {
        const url = sourceOf(whole)
        if (url === undefined) return whole
        changed(`embedded ${/^<(\w+)/.exec(whole)?.[1]?.toLowerCase()} → link`)
        return linkTo(url)
      }),
    body,
  )

function sourceOf(element: string): string | undefined {
  const [, quoted, bare] =
    /\s(?:src|data|data-src)\s*=\s*(?:["']([^"'\s]+)["']|([^\s"'<>{}]+))/i.exec(element) ?? []
  const url = (quoted ?? bare)?.replaceAll('&amp;', '&')
  return url === undefined ? undefined : pageOf(url.startsWith('//') ? `https:${url}` : url)
}

/** One block of HTML for a post in HTML: without blank lines, which would end the block. */
export function htmlBlock(html: string): string {
  if (html.trim() === '') return ''
  let depth = 0
  const kept = html
    .trim()
    .split('\n')
    .flatMap((line) => {
      const isInside = depth > 0
      depth += (line.match(/<pre\b/gi)?.length ?? 0) - (line.match(/<\/pre>/gi)?.length ?? 0)
      if (line.trim() !== '') return [isInside ? line : line.trimStart()]
      // Empty comments, which are invisible, preserve line breaks inside `pre`.
      return isInside ? ['<!-- -->'] : []
    })
  return `<div>\n${kept.join('\n')}\n</div>\n`
}
