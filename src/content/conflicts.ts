// Conflict markers that a merge left in a file (git-merge, "How conflicts are presented").
import type { Problem } from '../diagnostics.ts'
import type { Finding } from './source.ts'

/**
 * Finds the conflicts in a text, or the first marker that remains of one.
 *
 * @param bodyStart offset of Markdown, in which markers inside a fence or `<pre>` are text, and others count only from
 *   `<<<<<<<` to `=======`: seven `>` are a quote, and `=======` underlines a heading
 * @returns one finding per conflict, at most 20
 *
 * Cost: one search for most texts, else O(length).
 */
export function findConflicts(text: string, bodyStart: number = text.length): readonly Finding[] {
  if (!anyMarker.test(text)) return []
  const all = markersIn(text, bodyStart)
  const lastMiddle = all.findLast(({ kind }) => kind === '=')?.offset ?? -1
  const markers = all.filter(
    ({ kind, offset }) => offset < bodyStart || (kind === '<' && offset < lastMiddle),
  )
  const starts = markers.filter(({ kind }) => kind === '<')
  const found = starts[0] === markers[0] ? starts : markers.slice(0, 1)
  return found.slice(0, 20).map(({ offset }) => ({ ...conflict, offset }))
}

function markersIn(text: string, bodyStart: number): readonly Marker[] {
  const markers: Marker[] = []
  let fenced: Marker[] = []
  let fence = ''
  let offset = 0
  for (const line of text.split('\n')) {
    const next = offset >= bodyStart ? fenceAfter(line, fence) : ''
    // Markers behind a fence without an end are no example.
    if (fence === '') fenced = []
    fence = next
    if (side.test(line) || line === '=======') {
      const target = fence === '' ? markers : fenced
      target.push({ offset, kind: line[0] })
    }
    offset += line.length + 1
  }
  return fence === '' ? markers : [...markers, ...fenced]
}

interface Marker {
  readonly offset: number
  /** Its character. */
  readonly kind: string | undefined
}

const anyMarker = /^(?:<{7}|={7}|>{7}|\|{7})/m

/** A marker with a label. Seven bars begin an empty row of a table too. */
const side = /^(?:(?:<{7}|>{7})(?: .*)?|\|{7} [^|]+)$/

const conflict: Problem = {
  code: 'conflict-markers',
  message: 'This merge conflict is unresolved.',
  hint: 'Keep one of the two versions, and remove the lines of "<<<<<<<", "=======" and ">>>>>>>".',
}

/**
 * Returns the fence or `<pre` that is open after a line of Markdown; empty for none (CommonMark 0.31.2 §4.5, §4.6). Also
 * sees fences in lists and quotes.
 */
function fenceAfter(line: string, open: string): string {
  if (open === '<pre') return /<\/pre>/i.test(line) ? '' : open
  if (open === '' && /^ {0,3}<pre(?:[\s>]|$)(?!.*<\/pre>)/i.test(line)) return '<pre'
  const text = line.replace(/^(?:[ \t>]|[-*+] |\d{1,9}[.)] )+/, '')
  const [, marks = '', rest = ''] = /^(`{3,}|~{3,})([^\n]*)/.exec(text) ?? []
  if (open === '') return marks.startsWith('`') && rest.includes('`') ? '' : marks
  return marks.startsWith(open) && rest.trim() === '' ? '' : open
}
