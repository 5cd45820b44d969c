// Conflict markers that a merge left in a file (git-merge, "How conflicts are presented").
import type { Problem } from '../diagnostics.ts'
import type { Finding } from './source.ts'

/**
 * Finds the conflicts in a text, or the first marker that remains of one.
 *
 * @param bodyStart offset of Markdown, in which markers inside a fence or `<pre>` are text, and others count only from `<<<<<<<` to
 *   `=======`: seven `>` are a quote, and `=======` underlines a heading
 * @returns one finding per conflict, at most 20
 */
export function findConflicts(text: string, bodyStart: number = text.length): readonly Finding[] {
  if (!/^(?:<{7}|={7}|>{7}|\|{7})/m.test(text)) return []
  const found: (Finding & { readonly isStart: boolean })[] = []
  let fence = ''
  let offset = 0
  for (const line of text.split('\n')) {
    const isBody = offset >= bodyStart
    if (isBody) fence = fenceAfter(line, fence)
    const isStart = line.startsWith('<')
    const counts = !isBody || (isStart && fence === '' && text.includes('\n=======\n', offset))
    if (marker.test(line) && counts) found.push({ ...conflict, offset, isStart })
    offset += line.length + 1
  }
  const starts = found.filter(({ isStart }) => isStart)
  return starts.length === 0 ? found.slice(0, 1) : starts.slice(0, 20)
}

/** With a label, if any. Seven bars begin an empty row of a table too. */
const marker = /^(?:(?:<{7}|>{7})(?: .*)?|\|{7} [^|]+|={7})$/

const conflict: Problem = {
  code: 'conflict-markers',
  message: 'This merge conflict is unresolved.',
  hint: 'Keep one of the two versions, and remove the lines of "<<<<<<<", "=======" and ">>>>>>>".',
}

/** Returns the fence or `<pre` that is open after a line of Markdown, in lists and quotes too; empty for none. */
function fenceAfter(line: string, open: string): string {
  if (open === '<pre') return /<\/pre>/i.test(line) ? '' : open
  if (open === '' && /^ {0,3}<pre(?:[\s>]|$)(?!.*<\/pre>)/i.test(line)) return '<pre'
  const text = line.replace(/^(?:[ \t>]|[-*+] |\d{1,9}[.)] )+/, '')
  const [, marks = '', rest = ''] = /^(`{3,}|~{3,})([^\n]*)/.exec(text) ?? []
  if (open === '') return marks.startsWith('`') && rest.includes('`') ? '' : marks
  return marks.startsWith(open) && rest.trim() === '' ? '' : open
}
