// XML serialization: an element is a string whose text is already escaped.

/** Attribute values by name. */
export type Attributes = Readonly<Record<string, string>>

/** Returns an element with text. */
export function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return element(name, [escapeXml(text)], attributes)
}

/** Returns an element with child elements. */
export function element(
  name: string,
  children: readonly string[],
  attributes: Attributes = {},
): string {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `<${name}${named.join('')}`
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`
}

/** Returns an XML 1.0 document. Characters that XML does not allow (§2.2), such as lone surrogates, are removed. */
export function xmlDocument(root: string): string {
  return plainText(`<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`)
}

/** Removes the characters that XML 1.0 does not allow. */
export function plainText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** Escapes carriage returns too, as a parser would read each as a line feed. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
