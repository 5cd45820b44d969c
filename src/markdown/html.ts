// Reads the tags of the HTML that `serialize` writes.

/** Yields the tags of serialized HTML with their ranges. */
export function* tagsOf(
  html: string,
): Generator<readonly [tag: string, start: number, end: number], void, undefined> {
  // Serialized values contain neither `<` nor `>`.
  for (const { 0: tag, index } of html.matchAll(/<[^<>]*>/g)) yield [tag, index, index + tag.length]
}

/** Returns the value of an attribute, without character references; null if absent. @param tag a serialized tag */
export function attributeValue(tag: string, name: string): string | null {
  for (const [, found, value = ''] of tag.matchAll(/ ([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi)) {
    if (found === name) return attributeText(value)
  }
  return null
}

/** Replaces the character references in a serialized value. */
export function attributeText(value: string): string {
  return value.replace(/&#x([0-9A-F]+);/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )
}

/** Escapes characters of an attribute value in the style of `hast-util-to-html`. @param signs pattern of these */
export function escaped(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`)
}
