// Reads HTML as a browser does: by the parsing algorithm of its standard.
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'

export interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Every element of a text, in order. */
export function tagsOf(html: string): readonly Tag[] {
  const tags: Tag[] = []
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node)
      tags.push({
        name: node.tagName,
        attributes: new Map(node.attrs.map(({ name, value }) => [name, value])),
      })
    if ('content' in node) visit(node.content)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parseFragment(html))
  return tags
}

/** Values of one attribute, in order. */
export function valuesOf(html: string, name: string): readonly string[] {
  return tagsOf(html).flatMap(({ attributes }) => attributes.get(name) ?? [])
}

/** The scheme that a browser sees: it strips control characters and blanks. Null for a relative URL. */
export function schemeOf(url: string): string | null {
  const stripped = [...url].filter((character) => character > ' ').join('')
  return /^([a-z][a-z0-9+.-]*):/i.exec(stripped)?.[1]?.toLowerCase() ?? null
}
