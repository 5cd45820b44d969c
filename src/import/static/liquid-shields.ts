// Text of a body that Liquid must not evaluate: code, raw blocks, and markup that is unknown.
import { maskCode } from './code-mask.ts'
import type { BodyContext } from './generator.ts'

// Characters of code stand-ins: noncharacters of Unicode, which no site has.
const shields: readonly (readonly [string, string])[] = [
  ['{', '\uFDD1'],
  ['%', '\uFDD2'],
]

/** Hides what Liquid would take for its own. */
export function hide(text: string): string {
  return text.replace(/\{(?=[{%])|(?<=\{)[{%]/g, (sign) => (sign === '{' ? '\uFDD1' : '\uFDD2'))
}

/** Shows what was hidden. */
export function unshield(text: string): string {
  return shields.reduce((result, [sign, character]) => result.replaceAll(character, sign), text)
}

/** Blocks whose text Liquid passes over: `raw`, `comment`, and code. */
const block =
  /\{%-?\s*(raw|comment|highlight|codeblock)\b([^%]*)%\}([\s\S]*?)\{%-?\s*end\1\s*-?%\}/g

/** Blocks of Liquid whose text is not evaluated, as Markdown. */
export function blocksToMarkdown(body: string, { changed }: BodyContext): string {
  return body.replace(block, (_, name: string, options: string, text: string, offset: number) => {
    if (name === 'comment') return ''
    if (name === 'raw') return hide(text)
    changed(`Liquid ${name} → fenced code`)
    const plain = text.replace(/\{%-?\s*(?:end)?raw\s*-?%\}/g, '')
    const indent = /[^\n]*$/.exec(body.slice(0, offset))?.[0] ?? ''
    return fenced(hide(plain), options.trim().split(/\s+/)[0] ?? '', indent)
  })
}

/** @param before text of the line before the block: the fence is put on a separate line */
function fenced(code: string, language: string, before: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const isIndent = /^[ \t]*$/.test(before)
  const start = isIndent ? '' : '\n\n'
  const indent = isIndent ? before : ''
  const name = /^[\w#+.-]+$/.test(language) && !language.includes('=') ? language : ''
  const text = code.replace(/^[ \t]*\n/, '').replace(/\n?[ \t]*$/, '')
  return `${start}${fence}${name}\n${text}\n${indent}${fence}\n`
}

const markup =
  /\{%-?\s*capture\s+([\w-]+)\s*-?%\}[^{}]*\{%-?\s*endcapture\s*-?%\}|\{\{[^{}]*\}\}|\{%[^%]*%\}/g

/** Code keeps its braces, but for data of the site, and for captures that the text shows: they are only indented. */
export function shield(body: string): string {
  // Blocks below a footnote are indented as those of an item are.
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
