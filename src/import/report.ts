// Collects the outcome of an import: counts, and for each kind of event its number and its first locations.

/** The sections of a report, in the order in which they are printed. */
export const reportSections = ['mapped', 'changed', 'left', 'failed'] as const

/**
 * A section: `mapped` was carried over under another name, `changed` in another form, `left` was not carried over,
 * and `failed` kept a document from being written.
 */
export type ReportSection = (typeof reportSections)[number]

/** All events of one kind. */
export interface ReportEntry {
  readonly section: ReportSection
  readonly text: string
  /** Number of events. */
  readonly count: number
  /** Locations of the first events, at most 20 of failures and one of others. */
  readonly places: readonly string[]
}

/** Files by outcome: `written` is new, `present` was there with the same bytes, `kept` with others. */
export type FileOutcome = 'written' | 'present' | 'kept'

/** Kinds of events that are told apart at most: a source can name what it likes. */
const kindsMax = 10_000

/** Collects events. Memory is bounded by the number of kinds, never by the number of documents. */
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

  /** Number of files of a kind with an outcome. */
  files(kind: string, outcome: FileOutcome): number {
    return this.#files.get(`${kind} ${outcome}`) ?? 0
  }

  /** True when a document could not be written. */
  get hasFailures(): boolean {
    return this.entries('failed').length > 0
  }

  /** Entries of a section: most frequent first, ties by text in code unit order. */
  entries(section: ReportSection): readonly ReportEntry[] {
    return [...this.#entries]
      .filter(([key]) => key.startsWith(`${section}\n`))
      .map(([key, entry]) => ({ section, text: key.slice(section.length + 1), ...entry }))
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
  }
}
