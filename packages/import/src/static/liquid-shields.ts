// Protects text that Liquid must not evaluate: code, raw blocks and unknown markup.
import { replaceParts, trimmedEnd } from '../parts.ts'
import { maskCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

// Placeholders for special characters in code: Unicode noncharacters, which no site contains.
const shields: readonly (readonly [string, string])[] = [
  ['{', '\uFDD1'],
  ['%', '\uFDD2'],
]

/** Replaces the characters of Liquid markup by placeholders. */
export function hide(text: string): string {
  return text.replace(/\{(?=[{%])|(?<=\{)[{%]/g, (sign) => (sign === '{' ? '\uFDD1' : '\uFDD2'))
}

/** Restores the characters. */
export function unshield(text: string): string {
  return shields.reduce((result, [sign, character]) => result.replaceAll(character, sign), text)
}

/** Blocks whose text Liquid does not evaluate: `raw`, `comment`, and code. */
const block = /\{%-?\s{0,99}(raw|comment|highlight|codeblock)\b([^%{}]*)%\}/g

/** Converts Liquid blocks with unevaluated text to Markdown. */
export function blocksToMarkdown(body: string, { changed }: BodyContext): string {
  const closeOf = ([, name]: RegExpExecArray) => `\\{%-?\\s{0,99}end${name}\\s{0,99}-?%\\}`
  return replaceParts(body, block, closeOf, ({ open: [, name, options = ''], inner, start }) => {
    if (name === 'comment') return ''
    if (name === 'raw') return hide(inner)
    changed(`Liquid ${name} → fenced code`)
    const plain = inner.replace(/\{%-?\s{0,99}(?:end)?raw\s{0,99}-?%\}/g, '')
    const indent = body.slice(body.lastIndexOf('\n', start) + 1, start)
    return fenced(hide(plain), options.replace(/-$/, '').trim().split(/\s+/)[0] ?? '', indent)
  })
}

/** @param before the text before the block on its line: the fence gets a separate line */
function fenced(code: string, language: string, before: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isIndent = /^[ \t]*$/.test(before)
  const start = isIndent ? '' : '\n\n'
  const indent = isIndent ? before : ''
  const name = /^[\w#+.-]+$/.test(language) && !language.includes('=') ? language : ''
  const text = trimmedEnd(code.replace(/^[ \t]*\n/, ''), ' \t').replace(/\n$/, '')
  return `${start}${fence}${name}\n${text}\n${indent}${fence}\n`
}

const markup =
  /\{%-?\s*capture\s+([\w-]+)\s*-?%\}[^{}]*\{%-?\s*endcapture\s*-?%\}|\{\{[^{}]*\}\}|\{%[^%]*%\}/g

/** Protects braces in code, except for data of the site and visible captures, which are merely indented. */
export function shield(body: string): string {
  // Blocks below a footnote are indented like those of a list item.
  const items = body.replace(/^\[\^[^\]\s]+\]:/gm, (label) => '-'.padEnd(label.length))
  const masked = maskCode(items)
  const shown = new Set(Array.from(masked.matchAll(/\{\{-?\s*([\w-]+)/g), ([, name]) => name))
  return body.replace(markup, (found, captured: string | undefined, offset: number) => {
    const isCode = masked[offset] !== '{'
    const isData = /^\{\{-?\s*(?:site|page)\.\w/.test(found)
    const isShown = captured !== undefined && shown.has(captured)
    return isCode && !isData && !isShown ? hide(found) : found
  })
}
