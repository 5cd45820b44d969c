// The translation steps of every body: generator markup, embedded pages, the excerpt marker, destinations.
import { anchorsToHeadings } from './anchors.ts'
import { withoutComments } from './comments.ts'
import type { DocumentDestinations } from './destinations.ts'
import { embedsToLinks } from './embeds.ts'
import type { BodyContext, StaticSite } from './generator.ts'
import { rewriteDestinations } from './rewrite-destinations.ts'
import { withoutUnshown } from './unshown.ts'

/** Translates a body to Markdown for quarry. */
export function translateBody(
  body: string,
  site: StaticSite,
  context: BodyContext,
  destinations: DocumentDestinations,
): string {
  // Templates of the site may hide text too.
  const shown = withoutUnshown(withoutComments(body, context), context)
  const plain = embedsToLinks(withoutUnshown(site.translate(shown, context), context), context)
  // CommonMark does not parse text after a comment at the start of a line as Markdown.
  const marked = plain
    .replace(excerptMark, '<!-- more -->')
    .replace(/^( {0,3}<!-- more -->)[ \t]*(?=\S)/gm, '$1\n\n')
  const linked = anchorsToHeadings(marked, context.changed)
  return rewriteDestinations(linked, (url) => destinations.rewrite(url))
}

/** Excerpt markers of Hugo, Jekyll, Docusaurus and WordPress. */
const excerptMark =
  /<!--[ \t]*(?:more|truncate|excerpt|read ?more|end[- ]excerpt)[ \t]*-->|\{\/\*[ \t]*truncate[ \t]*\*\/\}/gi
