// Walks trees of Markdown and HTML, and reads the tags of the text that `serialized` writes.

/** A node of a tree, with its parent and its depth. */
export interface Step<T> {
  readonly node: T
  readonly parent: T | undefined
  readonly depth: number
}

/** Every node in document order; without recursion, so that no depth overflows the stack. */
export function* stepsOf<T extends object>(root: T): Generator<Step<T>, void, undefined> {
  const waiting: Step<T>[] = [{ node: root, parent: undefined, depth: 0 }]
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    yield step
    const { node: parent, depth } = step
    if (!('children' in parent)) continue
    for (const node of (parent.children as T[]).toReversed()) {
      waiting.push({ node, parent, depth: depth + 1 })
    }
  }
}

/** The tags of serialized HTML with their ranges. */
export function* tagsOf(
  html: string,
): Generator<readonly [tag: string, start: number, end: number], void, undefined> {
  // Serialized values contain neither `<` nor `>`.
  for (const { 0: tag, index } of html.matchAll(/<[^<>]*>/g)) yield [tag, index, index + tag.length]
}

/** The value of an attribute, without character references; null when absent. @param tag as it is serialized */
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

/** Escapes characters of an attribute value in the style of `hast-util-to-html`. @param signs matches them */
export function escaped(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`)
}
