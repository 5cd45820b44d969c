// Converts notebooks of Jupyter (format 4) to Markdown.
import { stripVTControlCharacters } from 'node:util'
import { codeBlock } from '../parts.ts'
import type { BodyContext, FieldValue } from '../site.ts'
import { asList, isMap, type Values, valueAt } from './front.ts'
import { htmlBlock } from './steps.ts'

/** Returns the cells of a notebook: their Markdown, or their code with its outputs. */
export function cellsOf(notebook: Values, changed: BodyContext['changed']): readonly string[] {
  const language = textOf(valueAt(notebook, 'metadata.language_info.name'))
  const cells = asList(notebook['cells']).filter(isMap)
  return cells.map(({ cell_type: type, source, outputs }) => {
    if (type !== 'code') return textOf(source)
    const shown = asList(outputs).map((it) => (isMap(it) ? outputOf(it, changed) : ''))
    return codeBlock(textOf(source), language) + shown.join('')
  })
}

/** Texts are lists of lines. */
function textOf(value: FieldValue): string {
  return asList(value).join('')
}

function outputOf({ data, text, traceback }: Values, changed: BodyContext['changed']): string {
  const found = isMap(data) ? data : {}
  const html = textOf(found['text/html'])
  if (/<script\b|"data:(?!image)/i.test(html))
    changed('output of a notebook that is a program → its text')
  else if (html !== '') return `\n\n${htmlBlock(html)}\n`
  const type = ['image/png', 'image/jpeg'].find((name) => name in found) ?? ''
  const image = textOf(found[type]).replace(/\s/g, '')
  if (image !== '') return `\n\n![](data:${type};base64,${image})\n\n`
  const plain = stripVTControlCharacters(textOf(text ?? traceback ?? found['text/plain']))
  return plain === '' ? '' : codeBlock(plain, '')
}
