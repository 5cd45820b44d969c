// Limits of hosts as text.
import type { LeftOut } from '../hosts/fit-stored.ts'
import type { Measure } from '../hosts/limits.ts'
import { type MeasuredLimit, remedies } from '../hosts/plan.ts'
import { formatBytes, formatCount } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Returns one line about a limit: its measure, usage, source, and a fix. */
export function describeLimit(
  { limit, value, isBroken }: MeasuredLimit,
  terminal: Terminal,
): string {
  const { measure, max, only, source, readOn } = limit
  const amount = (number: number) => formatAmount(measure, number)
  const mark = isBroken ? terminal.red('over') : terminal.green('ok')
  const plan = only === null ? '' : ` on ${only}`
  const origin = terminal.dim(`${source}, ${readOn}`)
  const remedy = isBroken ? ` ${remedies[measure]}` : ''
  return `${mark} ${measureNames[measure]}: ${amount(value)} of ${amount(max)}${plan} (${origin})${remedy}`
}

/** Returns one line about precomputed responses that exceed a host's limit. */
export function describeLeftOut({ limit, value, responses }: LeftOut, terminal: Terminal): string {
  const { measure, max, only } = limit
  const plan = only === null ? '' : ` on ${only}`
  const amounts = `${formatAmount(measure, value)} of ${formatAmount(measure, max)}${plan}`
  const [which, remedy] =
    responses === 'markdown'
      ? [' in Markdown', `${terminal.cyan("precompute.formats: ['html']")} writes none of them.`]
      : [
          '',
          `Fewer \`precompute.pageSizes\` and \`precompute.lists\` may make room, ${terminal.cyan('precompute.versions: []')} writes none.`,
        ]
  return `${terminal.yellow('left out')} precomputed responses${which}: ${measureNames[measure]} would be ${amounts}. The function gives them from its index. ${remedy}`
}

function formatAmount(measure: Measure, number: number): string {
  return measure.endsWith('Bytes') ? formatBytes(number) : formatCount(number)
}

const measureNames: Readonly<Record<Measure, string>> = {
  files: 'files',
  largestFileBytes: 'largest file',
  totalBytes: 'all together, unzipped',
  functionBytes: 'the function, unzipped',
  zippedBytes: 'all together, zipped',
  programBytes: 'program, compressed',
  memoryBytes: 'memory, about',
  coldFetches: 'files fetched by a first request',
  allFetches: 'files fetched by limit=all, at most',
  searchFetches: 'files fetched by a search, at most',
}
