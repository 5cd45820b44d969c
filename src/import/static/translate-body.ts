// The steps that every body takes: the generator's own markup, embedded pages, the mark of the excerpt, destinations.
import { anchorsToHeadings } from './anchors.ts'
import type { DocumentDestinations } from './destinations.ts'
import { embedsToLinks } from './embeds.ts'
import type { BodyContext, StaticSite } from './generator.ts'
import { rewriteDestinations } from './rewrite-destinations.ts'

/** A body in Markdown that quarry renders. */
export function translateBody(
  body: string,
  site: StaticSite,
  context: BodyContext,
  destinations: DocumentDestinations,
): string {
  const plain = embedsToLinks(site.translate(body, context), context)
  // Text after a comment at the start of a line is no Markdown in CommonMark.
  const marked = plain
    .replace(excerptMark, '<!-- more -->')
    .replace(/^( {0,3}<!-- more -->)[ \t]*(?=\S)/gm, '$1\n\n')
  const linked = anchorsToHeadings(marked, context.changed)
  return rewriteDestinations(linked, (url) => destinations.rewrite(url))
}

/** The end of the excerpt, as Hugo, Jekyll, Docusaurus and WordPress write it. */
const excerptMark =
  /<!--[ \t]*(?:more|truncate|excerpt|read ?more|end[- ]excerpt)[ \t]*-->|\{\/\*[ \t]*truncate[ \t]*\*\/\}/gi
