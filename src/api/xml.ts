// XML as text: an element is a string in which all text is escaped already.

/** Values of attributes by name. */
export type Attributes = Readonly<Record<string, string>>

/** An element around text. */
export function textElement(name: string, text: string, attributes: Attributes = {}): string {
  return element(name, [escapeXml(text)], attributes)
}

/** An element around other elements. */
export function element(
  name: string,
  children: readonly string[],
  attributes: Attributes = {},
): string {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `<${name}${named.join('')}`
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`
}

/**
 * A document in XML 1.0. Characters that no such document can have (§2.2), halves of surrogate pairs among them, are left
 * out.
 */
export function xmlDocument(root: string): string {
  return plainText(`<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`)
}

/** A text without the characters that XML 1.0 cannot have. */
export function plainText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** Carriage returns too, as a parser would read each as a line feed. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
