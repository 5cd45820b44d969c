// Reads HTML as a browser would, as far as a test needs it.
// Knows nothing of how the HTML was made.

export interface Tag {
  readonly name: string
  readonly isClosing: boolean
  /** Names in lower case, values with character references decoded. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Every tag of a text, well-formed or not. */
export function tagsOf(html: string): readonly Tag[] {
  const tags = html.matchAll(/<(\/?)([^\s>/]+)((?:[^>"']|"[^"]*"|'[^']*')*)>?/g)
  return [...tags].map(([, slash, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    isClosing: slash === '/',
    attributes: attributesOf(rest),
  }))
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

function attributesOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)
  return new Map(
    [...pairs].map(([, name = '', ...values]) => {
      const value = values.find((candidate) => candidate !== undefined) ?? ''
      return [name.toLowerCase(), decode(value)]
    }),
  )
}

function decode(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);?/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replace(/&#([0-9]+);?/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
}
