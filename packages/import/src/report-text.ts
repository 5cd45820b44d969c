// The report of an import as text.

import { formatCount, plural, type Terminal } from 'quarry/authoring'
import type { ImportReport, ReportEntry, ReportSection } from './report.ts'

const kinds = ['posts', 'authors', 'categories', 'tags', 'images'] as const

const nouns: Readonly<Record<(typeof kinds)[number], string>> = {
  posts: 'post',
  authors: 'author',
  categories: 'category',
  tags: 'tag',
  images: 'image',
}

const titles: Readonly<Record<ReportSection, string>> = {
  mapped: 'Mapped',
  changed: 'Changed',
  left: 'Not carried over',
  failed: 'Not written',
}

/** Maximum number of entries per section. */
const entriesShown = 30

/** Formats counts, every mapping, change and omission with its first location, every failure, and the next step. */
export function describeImport(report: ImportReport, folder: string, terminal: Terminal): string {
  return [
    headline(report, folder, terminal),
    ...section(report, 'mapped', terminal),
    ...section(report, 'changed', terminal),
    ...section(report, 'left', terminal),
    ...section(report, 'failed', terminal),
    ...nextSteps(report, terminal),
  ].join('\n')
}

function headline(report: ImportReport, folder: string, terminal: Terminal): string {
  const counts = kinds.flatMap((kind) => {
    const written = report.files(kind, 'written')
    const present = report.files(kind, 'present')
    if (written + present === 0) return []
    const there = present === 0 ? '' : ` (${formatCount(present)} there before)`
    return [`${plural(written + present, nouns[kind])}${there}`]
  })
  const text = counts.length === 0 ? 'nothing' : counts.join(', ')
  return `${terminal.green('Imported')} ${text} into ${terminal.bold(folder)}`
}

function section(report: ImportReport, name: ReportSection, terminal: Terminal): readonly string[] {
  const entries = report.entries(name)
  if (entries.length === 0) return []
  const style = name === 'failed' ? terminal.red : terminal.bold
  const more =
    entries.length > entriesShown ? [`  … and ${entries.length - entriesShown} more kinds`] : []
  return [
    '',
    style(titles[name]),
    ...entries.slice(0, entriesShown).flatMap(describeEntry),
    ...more,
  ]
}

function describeEntry({ section: name, text, count, places }: ReportEntry): readonly string[] {
  const [first = '', ...others] = places
  const line = `  ${formatCount(count).padStart(6)}  ${text}`
  if (name !== 'failed') return [`${line}, first ${first}`]
  const rest =
    count > places.length ? [`          … and ${formatCount(count - places.length)} more`] : []
  return [line, ...[first, ...others].map((place) => `          ${place}`), ...rest]
}

function nextSteps(report: ImportReport, terminal: Terminal): readonly string[] {
  const steps = report.hasFailures
    ? [
        'Correct the source, or add --keep-unknown, and run the import again: what is written stays.',
        ...templateStep(report),
      ]
    : []
  return [
    '',
    'Next:',
    ...steps.map((step) => `  ${step}`),
    `  ${terminal.cyan('npx quarry build')}`,
  ]
}

function templateStep(report: ImportReport): readonly string[] {
  for (const { text } of report.entries('failed')) {
    const [, filter] = /undefined filter: (\w+)/.exec(text) ?? []
    const [, shortcode] = /^shortcode "([\w/-]+)" has no/.exec(text) ?? []
    const name = filter ?? shortcode
    const input = filter === undefined ? '.Get 0' : 'value'
    if (name !== undefined)
      return [`Or say in a template what it shows: --template '${name}={{ ${input} }}'.`]
  }
  return []
}
