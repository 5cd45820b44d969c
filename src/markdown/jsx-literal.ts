// Evaluates JavaScript literals without running any code.

/**
 * The text of a literal: a string, a template without expressions, a number, or `true` (as ''); undefined for
 * everything else.
 */
export function literalOf(expression: string): string | undefined {
  const source = expression.trim()
  if (/^-?\d+(?:\.\d+)?$/.test(source)) return source
  if (source === 'true') return ''
  const quote = source[0] ?? ''
  if (!'"\'`'.includes(quote) || source.length < 2 || !source.endsWith(quote)) return undefined
  return unescaped(source.slice(1, -1), quote)
}

/** @param text between the quotes @returns undefined when it is not a single literal */
function unescaped(text: string, quote: string): string | undefined {
  let made = ''
  for (let at = 0; at < text.length; ) {
    const part = partAt(text, at, quote)
    if (part === undefined) return undefined
    made += part.text
    at += part.length
  }
  return made
}

interface LiteralPart {
  readonly text: string
  readonly length: number
}

function partAt(text: string, at: number, quote: string): LiteralPart | undefined {
  const character = text[at] ?? ''
  if (character === '\\') return escapeAt(text, at)
  const isEnd = quote === '`' ? text.startsWith('${', at) : character === '\n'
  return isEnd || character === quote ? undefined : { text: character, length: 1 }
}

const single: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}

function escapeAt(text: string, start: number): LiteralPart | undefined {
  const code = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/iy
  code.lastIndex = start
  const match = code.exec(text)
  if (match !== null) {
    const point = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? '', 16)
    return point > 0x10ffff
      ? undefined
      : { text: String.fromCodePoint(point), length: match[0].length }
  }
  const next = text[start + 1]
  if (next === undefined || /[ux0-9]/.test(next)) return undefined
  return { text: single[next] ?? next, length: 2 }
}
