// Sections of the report: tables of figures, with plots.
import type { Changes } from '../../emit/publication.ts'
import type { Stage } from '../../pipeline/trace.ts'
import { formatBytes, formatCount } from '../report.ts'
import type { FileKind } from './file-kinds.ts'
import { html, type Markup } from './markup.ts'
import type { RenderedBodyCost, StageTime } from './measures.ts'
import { bar, scatter, shares } from './plots.ts'

/** Limits of bodies in the table and of points in the plot. */
const rowsMax = 20
const dotsMax = 1000

const stageTexts: Readonly<Record<Stage, readonly [name: string, does: string]>> = {
  scan: ['Scan', 'lists the content and hashes every file'],
  render: [
    'Read and render',
    'front matter, references, Markdown to HTML; what the cache has is taken',
  ],
  assemble: ['Assemble', 'one snapshot a workspace'],
  responses: ['Answers', 'every canonical request; what is to be written is staged'],
  index: ['Index', 'filters, search and what else the function reads'],
  publish: ['Publish', 'moves staged files in, removes stale ones'],
}

/** Returns one bar per stage; each begins at the end of the previous one. */
export function stageSection(stages: readonly StageTime[], total: number): Markup {
  let end = 0
  const rows = stages.map(({ stage, milliseconds }) => {
    const start = end
    end += milliseconds
    return stageRow(stageTexts[stage], { start, end, total })
  })
  const rest: readonly [string, string] = ['Everything else', 'start, lock, saving the cache']
  return html`<section><h2>Time by stage</h2>
<p>One after the other, from the start of the build to its end.</p>
<table>
<thead><tr><th scope="col">Stage</th><td class="plot"></td><th scope="col" class="figure">Time</th><th scope="col" class="figure">Share</th></tr></thead>
<tbody>${rows}${total > end && stageRow(rest, { start: end, end: total, total })}</tbody>
</table></section>`
}

function stageRow(
  [name, does]: readonly [name: string, does: string],
  { start, end, total }: { readonly start: number; readonly end: number; readonly total: number },
): Markup {
  const share = Math.round(((end - start) / total) * 100)
  return html`<tr><th scope="row">${name}<small>${does}</small></th><td class="plot">${bar(start / total, end / total)}</td><td class="figure">${duration(end - start)}</td><td class="figure">${share} %</td></tr>`
}

/** Returns the cost of single bodies. @param rendered most expensive first */
export function bodySection(rendered: readonly RenderedBodyCost[]): Markup {
  if (rendered.length === 0) {
    return html`<section><h2>Slowest bodies</h2><p>No body was rendered: the cache had them all.</p></section>`
  }
  const [slowest] = rendered
  const rows = rendered.slice(0, rowsMax).map((body) => {
    const { file, milliseconds, markdownBytes, htmlBytes } = body
    return html`<tr><th scope="row"><code>${file}</code></th><td class="plot wide">${bar(0, milliseconds / Math.max(slowest?.milliseconds ?? 0, 0.001))}</td><td class="figure">${duration(milliseconds)}</td><td class="figure">${formatBytes(markdownBytes)}</td><td class="figure wide">${formatBytes(htmlBytes)}</td></tr>`
  })
  return html`<section><h2>Slowest bodies</h2>
<p>${cutNote(rendered.length)} Time is that of the one thread that rendered it. The first few of a thread warm it up. A dot high above its neighbours is a body that costs more than its size explains.</p>
${plotOf(rendered.slice(0, dotsMax))}
<table>
<thead><tr><th scope="col">File</th><td class="plot wide"></td><th scope="col" class="figure">Time</th><th scope="col" class="figure">Markdown</th><th scope="col" class="figure wide">HTML</th></tr></thead>
<tbody>${rows}</tbody>
</table></section>`
}

function cutNote(rendered: number): string {
  const shown =
    rendered > dotsMax ? `The ${formatCount(dotsMax)} slowest of ${formatCount(rendered)}` : 'All'
  return `${shown} that were rendered as dots, the slowest ${Math.min(rowsMax, rendered)} with their figures below.`
}

function plotOf(bodies: readonly RenderedBodyCost[]): Markup {
  // Logarithmic axes have no zero.
  const dots = bodies.map(({ file, milliseconds, markdownBytes }) => ({
    x: Math.max(markdownBytes / 1000, 0.01),
    y: Math.max(milliseconds, 0.01),
    label: `${file}: ${duration(milliseconds)}, ${formatBytes(markdownBytes)}`,
  }))
  return scatter(dots, {
    x: 'kB of Markdown',
    y: 'milliseconds',
    summary: 'Time of each rendered body against its size; the slowest are in the table below',
  })
}

/** Returns the sources of bodies and the changes of files. */
export function changeSection(
  bodies: { rendered: number; cached: number },
  files: Changes,
): Markup {
  const isKnown = bodies.rendered + bodies.cached > 0
  return html`<section><h2>Cache and changes</h2>
<p>${isKnown ? 'Bodies: rendered now, or taken from the cache.' : 'Content, settings and version are those of an earlier build: no body was looked at.'}</p>
${
  isKnown &&
  shares([
    { name: 'from the cache', count: bodies.cached },
    { name: 'rendered', count: bodies.rendered },
  ])
}
<p class="gap">Files: as they were, written, or removed because no request leads to them any more.</p>
${shares([
  { name: 'unchanged', count: files.unchanged },
  { name: 'written', count: files.written },
  { name: 'removed', count: files.removed },
])}</section>`
}

/** Returns files by purpose. */
export function sizeSection(kinds: readonly FileKind[]): Markup {
  const largest = Math.max(1, ...kinds.map(({ bytes }) => bytes))
  const rows = kinds.map(
    ({ name, files, bytes }) =>
      html`<tr><th scope="row">${name}</th><td class="plot">${bar(0, bytes / largest)}</td><td class="figure">${formatBytes(bytes)}</td><td class="figure">${formatCount(files)}</td><td class="figure wide">${formatBytes(bytes / files)}</td></tr>`,
  )
  return html`<section><h2>Files by kind</h2>
<table>
<thead><tr><th scope="col">Kind</th><td class="plot"></td><th scope="col" class="figure">Size</th><th scope="col" class="figure">Files</th><th scope="col" class="figure wide">Each</th></tr></thead>
<tbody>${rows}</tbody>
</table></section>`
}

/** Returns the number of warnings of each kind. @param counts by code */
export function warningSection(counts: ReadonlyMap<string, number>): Markup | null {
  if (counts.size === 0) return null
  const rows = [...counts].map(
    ([code, number]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td class="figure">${formatCount(number)}</td></tr>`,
  )
  return html`<section><h2>Warnings</h2><p>With their places: <code>npx quarry check</code>.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col" class="figure">Warnings</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

/** `950 µs`, `12.3 ms`, `1.24 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`
  if (milliseconds < 1000) return `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`
  return `${(milliseconds / 1000).toFixed(2)} s`
}
