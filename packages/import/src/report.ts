// Collects the outcome of an import: counts, and the number and first locations of each kind of event.

/** The sections of a report, in display order. */
export const reportSections = ['mapped', 'changed', 'left', 'failed'] as const

/**
 * `mapped`: imported under another name. `changed`: imported in another form. `left`: not imported. `failed`:
 * prevented a document from being written.
 */
export type ReportSection = (typeof reportSections)[number]

/** All events of one kind. */
export interface ReportEntry {
  readonly section: ReportSection
  readonly text: string
  /** The number of events. */
  readonly count: number
  /** Locations of the first events: at most 20 failures, one of any other kind. */
  readonly places: readonly string[]
}

/** Files by outcome: `written` is new, `present` existed with the same bytes, `kept` with other bytes. */
export type FileOutcome = 'written' | 'present' | 'kept'

/** Maximum number of distinct kinds of events: a source may contain arbitrary names. */
const kindsMax = 10_000

/** Collects events. Memory is bounded by the number of kinds, not by the number of documents. */
export class ImportReport {
  readonly #entries = new Map<string, { count: number; places: string[] }>()
  readonly #files = new Map<string, number>()

  /** Adds an event. @param text names the kind of event @param place `file`, or `file:line:column` */
  add(section: ReportSection, text: string, place: string, count = 1): void {
    const kind = `${section}\n${text}`
    const isKnown = this.#entries.has(kind) || this.#entries.size < kindsMax
    const key = isKnown ? kind : `${section}\nsomething of a further kind`
    const entry = this.#entries.get(key) ?? { count: 0, places: [] }
    entry.count += count
    if (entry.places.length < (section === 'failed' ? 20 : 1)) entry.places.push(place)
    this.#entries.set(key, entry)
  }

  /** Counts a file. @param kind `posts`, `images` and so on */
  countFile(kind: string, outcome: FileOutcome): void {
    const key = `${kind} ${outcome}`
    this.#files.set(key, (this.#files.get(key) ?? 0) + 1)
  }

  /** The number of files of a kind with an outcome. */
  files(kind: string, outcome: FileOutcome): number {
    return this.#files.get(`${kind} ${outcome}`) ?? 0
  }

  /** True when a document could not be written. */
  get hasFailures(): boolean {
    return this.entries('failed').length > 0
  }

  /** The entries of a section: most frequent first, ties by text in code unit order. */
  entries(section: ReportSection): readonly ReportEntry[] {
    return [...this.#entries]
      .filter(([key]) => key.startsWith(`${section}\n`))
      .map(([key, entry]) => ({ section, text: key.slice(section.length + 1), ...entry }))
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
  }
}
