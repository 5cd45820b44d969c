// Notebooks of Jupyter, version 4, as Markdown.
import { stripVTControlCharacters } from 'node:util'
import { fenced } from '../parts.ts'
import type { BodyContext } from '../site.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import { htmlBlock } from './steps.ts'

type Changed = BodyContext['changed']

/** The cells of a notebook with their outputs. @param range `cells[2:]` for those after the second */
export function notebookToMarkdown(notebook: Values, range = '', changed: Changed): string {
  const [, first, last] = /^cells\[(\d{0,9}):(\d{0,9})\]$/.exec(range) ?? []
  const language = textAt(notebook, 'metadata.language_info.name') ?? 'python'
  const cells = asList(notebook['cells']).filter(isMap)
  return cells
    .slice(Number(first ?? 0), last ? Number(last) : undefined)
    .flatMap((cell) => {
      const source = textOf(cell['source'])
      if (cell['cell_type'] !== 'code' || source.trim() === '') return [source]
      const outputs = asList(cell['outputs']).filter(isMap)
      return [fenced(source, language), ...outputs.map((output) => shown(output, changed))]
    })
    .join('\n\n')
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('') : String(value ?? '')
}

/** An image, a table, or the text of an output, which scripts also have. */
function shown(output: Values, changed: Changed): string {
  for (const type of ['image/png', 'image/jpeg', 'text/html']) {
    const data = textOf(valueAt(output, `data.${type}`))
    const isScript = data.includes('<script')
    if (isScript) changed('output of a notebook that is a script → its text')
    if (data === '' || isScript) continue
    if (type !== 'text/html') return `![](data:${type};base64,${data.replace(/\s/g, '')})`
    // regex: an element without others of its name
    return htmlBlock(data.replace(/<style\b[\s\S]*?<\/style>/g, ''))
  }
  const text = textOf(output['text'] ?? valueAt(output, 'data.text/plain') ?? output['traceback'])
  return text === '' ? '' : fenced(stripVTControlCharacters(text), '')
}
