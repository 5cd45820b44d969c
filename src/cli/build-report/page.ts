// The report as one HTML page without scripts and external resources. Every plot has its figures next to it.
import { createHash } from 'node:crypto'
import type { BuildResult } from '../../build.ts'
import { formatBytes, formatCount, plural } from '../report.ts'
import { fileKinds } from './file-kinds.ts'
import { html, type Markup } from './markup.ts'
import type { Measures } from './measures.ts'
import {
  bodySection,
  changeSection,
  duration,
  sizeSection,
  stageSection,
  warningSection,
} from './sections.ts'
import { style } from './style.ts'

/** The content of the report. */
export interface BuildReport {
  readonly result: BuildResult
  readonly measures: Pick<Measures, 'stages' | 'rendered' | 'cached'>
  /** The output folder, as the user named it. */
  readonly out: string
  /** Versions of quarry and of Node.js. */
  readonly versions: { readonly quarry: string; readonly node: string }
  /** End of the build, ISO 8601. */
  readonly madeAt: string
}

/** Returns the complete page. */
export function reportPage(report: BuildReport): string {
  const { result, measures, out, versions, madeAt } = report
  const hash = createHash('sha256').update(style).digest('base64')
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Build of ${out}</title>
<style>${stylePlace}</style>
</head>
<body>
<header>
<h1>Build of ${out}</h1>
<p>Build <code>${result.manifest.build}</code>, made at ${madeAt.replace(/T(.{5}).*/, ' $1 UTC')}</p>
</header>
<main>
${tiles(report)}
${stageSection(measures.stages, result.timings.total)}
${bodySection(measures.rendered)}
${changeSection({ rendered: measures.rendered.length, cached: measures.cached }, result.changes)}
${sizeSection(fileKinds(result.manifest.files))}
${warningSection(warningCounts(result))}
</main>
<footer>quarry ${versions.quarry}, Node.js ${versions.node}</footer>
</body>
</html>
`
  return text.replace(stylePlace, () => style)
}

/** Placeholder of the style sheet, which must not be escaped: the policy contains its hash. */
const stylePlace = '%STYLE%'

function tiles({ result, measures }: BuildReport): Markup {
  const { manifest, changes, timings } = result
  const posts = Object.values(manifest.workspaces).reduce((sum, { posts }) => sum + posts, 0)
  const rendering = measures.stages.find(({ stage }) => stage === 'render')?.milliseconds ?? 0
  const rendered = measures.rendered.length
  const rate = rendered > 0 && rendering > 0 ? Math.round((rendered / rendering) * 1000) : null
  return html`<dl class="tiles">
<div><dt>Time</dt><dd>${duration(timings.total)}<small>${plural(posts, 'post')}</small></dd></div>
<div><dt>Bodies rendered</dt><dd>${formatCount(rendered)}<small>${rate === null ? 'none was new' : `${formatCount(rate)} a second`}</small></dd></div>
<div><dt>Files written</dt><dd>${formatCount(changes.written)}<small>of ${formatCount(manifest.fileCount)}</small></dd></div>
<div><dt>Size of all files</dt><dd>${formatBytes(manifest.byteCount)}<small>less on the disk: equal ones are one</small></dd></div>
</dl>`
}

function warningCounts({ diagnostics }: BuildResult): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of diagnostics) counts.set(code, (counts.get(code) ?? 0) + 1)
  return new Map([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}
