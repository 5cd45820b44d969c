// The ledger of an import. It counts every file of the source, every key of its front matter, and every
// piece of markup that is translated, changed or left out. The report is made from the ledger only.
import { formatCount, plural, type Terminal } from 'quarry/authoring'

/**
 * `files`: a file that is not a post. `mapped`: imported under another name. `changed`: imported in another form. `left`:
 * not imported. `failed`: a post to check; it is a draft or missing. `settings`: settings that were not read.
 */
export type Section = 'files' | 'mapped' | 'changed' | 'left' | 'failed' | 'settings'

type Fate = (typeof fates)[number]
type KeyFate = (typeof keyFates)[number]

/** Files by outcome: `written` is new, `present` existed with the same bytes, `kept` with other bytes. */
export type FileOutcome = 'written' | 'present' | 'kept'

/** All events of one kind. */
export interface Entry {
  readonly section: Section
  readonly text: string
  count: number
  /** `file`, or `file:line:column`. */
  readonly places: string[]
}

interface Balance {
  readonly found: number
  readonly fates: Readonly<Record<string, number>>
  readonly isBalanced: boolean
}

const fates = ['posts', 'drafts', 'pages', 'data', 'images', 'skipped'] as const
const keyFates = ['mapped', 'kept', 'left'] as const

/** The events of an import. Memory: one entry for each file, and one place for each event. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  readonly #files = new Map<string, Fate | undefined>()
  readonly #keys: KeyFate[] = []
  #keysFound = 0
  readonly #settings: (readonly [file: string, unread: () => readonly string[]])[] = []
  readonly #written = new Map<string, number>()
  /** The languages that have posts, the imported language first; `''` for a language without a name. */
  languages: readonly string[] = []
  /** How many posts get their own URL from `links.post`; set when the pattern is known. */
  addresses:
    | { readonly pattern: string; readonly given: number; readonly posts: number }
    | undefined

  /** Adds an event. @param text names the kind of event @param place `file`, or `file:line:column` */
  add(section: Section, text: string, place: string, count = 1): void {
    const key = `${section}\n${text}`
    const entry = this.#entries.get(key) ?? { section, text, count: 0, places: [] }
    entry.count += count
    entry.places.push(place)
    this.#entries.set(key, entry)
  }

  /** Records that the source has a file, or that an export has an item. */
  find(file: string): void {
    if (!this.#files.has(file)) this.#files.set(file, undefined)
  }

  /** Records the outcome of a file, unless it is known. @param reason the reason for pages and skipped files */
  settle(file: string, fate: Fate, reason?: string, section: Section = 'files'): void {
    if (this.#files.get(file) !== undefined) return
    this.#files.set(file, fate)
    if (reason !== undefined)
      this.add(section, `${fate === 'pages' ? 'page' : 'skipped'}: ${reason}`, file)
  }

  /** Reports settings of a file when the import ends. @param unread returns the names of unread settings */
  watch(file: string, unread: () => readonly string[]): void {
    this.#settings.push([file, unread])
  }

  /** Records the outcome of all files and settings that were not read. */
  close(): void {
    for (const file of this.#files.keys()) this.settle(file, 'skipped', reasonFor(file))
    for (const [file, unread] of this.#settings)
      for (const name of new Set(unread())) this.add('settings', `of ${file}`, name)
  }

  findKeys(count: number): void {
    this.#keysFound += count
  }

  /** Records the outcome of a key. @param text the target or the reason; undefined for a key that keeps its name */
  key(fate: KeyFate, text: string | undefined, place: string): void {
    this.#keys.push(fate)
    if (text !== undefined) this.add(fate === 'left' ? 'left' : 'mapped', text, place)
  }

  /** Reports the columns of a row that have a value, but no place in a post. @param read the names of all others */
  unread(row: Readonly<Record<string, unknown>>, read: ReadonlySet<string>, place: string): void {
    for (const [name, value] of Object.entries(row))
      if (!read.has(name) && !/^(?:|0|false)$/.test(String(value ?? '')))
        this.add('left', name, place)
  }

  /** Counts a written file. @param kind `posts`, `images` and so on */
  countFile(kind: string, outcome: FileOutcome): void {
    this.#written.set(`${kind} ${outcome}`, this.files(kind, outcome) + 1)
  }

  files(kind: string, outcome: FileOutcome): number {
    return this.#written.get(`${kind} ${outcome}`) ?? 0
  }

  get hasFailures(): boolean {
    return this.entries('failed').length > 0
  }

  /** The entries of a section: most frequent first, ties by text in code unit order. */
  entries(section: Section): readonly Entry[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.section === section)
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
  }

  get fileBalance(): Balance {
    return balance(this.#files.size, fates, [...this.#files.values()])
  }

  get keyBalance(): Balance {
    return balance(this.#keysFound, keyFates, this.#keys)
  }

  toJSON(): object {
    const all = (kind: string) => this.files(kind, 'written') + this.files(kind, 'present')
    return {
      written: Object.fromEntries(Object.keys(nouns).map((kind) => [kind, all(kind)])),
      files: this.fileBalance,
      keys: this.keyBalance,
      addresses: this.addresses,
      entries: Object.keys(sections).flatMap((section) => this.entries(section as Section)),
    }
  }
}

function balance(found: number, names: readonly string[], all: readonly unknown[]): Balance {
  const counts = names.map((name) => [name, all.filter((fate) => fate === name).length] as const)
  const sum = counts.reduce((total, [, count]) => total + count, 0)
  return { found, fates: Object.fromEntries(counts), isBalanced: sum === found }
}

function reasonFor(file: string): string {
  if (/\.(?:avif|gif|jpe?g|png|svg|webp|ico|bmp|tiff?)$/i.test(file))
    return 'image not used by any post'
  if (/\.(?:md|markdown|mdx)$/i.test(file)) return 'Markdown outside of the posts'
  return 'not a post (templates, programs, styles, data and other files)'
}

const nouns = {
  ...{ posts: 'post', authors: 'author', categories: 'category', tags: 'tag', images: 'image' },
}

const sections: Readonly<Record<Section, { readonly title: string; readonly shown: number }>> = {
  failed: { title: 'Needs attention', shown: 20 },
  files: { title: 'Files that are not posts', shown: 3 },
  left: { title: 'Not carried over', shown: 4 },
  changed: { title: 'Changed', shown: 4 },
  mapped: { title: 'Mapped', shown: 2 },
  settings: { title: 'Settings that were not read', shown: 3 },
}

interface ReportForm {
  readonly folder: string
  readonly terminal: Terminal
  readonly isWhole?: boolean
}

/** Formats counts, balances, kinds of events with their first location in at most 40 lines, and the next step. */
export function describeImport(ledger: Ledger, form: ReportForm): string {
  const toDo =
    '  Posts that need attention are drafts, or missing. Correct them, or import into another workspace with --keep-unknown.'
  return [
    headline(ledger, form),
    ...balances(ledger),
    ...Object.keys(sections).flatMap((name) => describeSection(ledger, name as Section, form)),
    ...['', 'Next:', ...(ledger.hasFailures ? [toDo] : [])],
    `  ${form.terminal.cyan('npx quarry build')}`,
  ].join('\n')
}

function headline(ledger: Ledger, { folder, terminal }: ReportForm): string {
  const counts = Object.entries(nouns).flatMap(([kind, noun]) => {
    const present = ledger.files(kind, 'present')
    const all = ledger.files(kind, 'written') + present
    const there = present === 0 ? '' : ` (${formatCount(present)} already there)`
    return all === 0 ? [] : [`${plural(all, noun)}${there}`]
  })
  return `${terminal.green('Imported')} ${counts.join(', ') || 'nothing'} into ${terminal.bold(folder)}`
}

function balances({ fileBalance, keyBalance, addresses }: Ledger): readonly string[] {
  const line = (name: string, { found, fates, isBalanced }: Balance) => {
    const sum = Object.entries(fates).flatMap(([fate, count]) => {
      const noun = count === 1 ? fate.replace(/s$/, '') : fate
      return count === 0 ? [] : [`${formatCount(count)} ${noun}`]
    })
    const sign = isBalanced ? '=' : '≠ (a bug in the importer)'
    return found === 0 ? [] : [`  ${name} ${formatCount(found)} found ${sign} ${sum.join(' + ')}`]
  }
  const lines = [...line('files', fileBalance), ...line('keys ', keyBalance)]
  if (addresses === undefined) return lines
  const { pattern, given, posts } = addresses
  const text = `${pattern} gives the site's own URL for ${formatCount(given)} of ${plural(posts, 'post')}`
  return [...lines, `  URLs  ${text}`]
}

function describeSection(ledger: Ledger, name: Section, { terminal, isWhole = false }: ReportForm) {
  const entries = ledger.entries(name)
  if (entries.length === 0) return []
  const style = name === 'failed' ? terminal.red : terminal.bold
  // The other five sections share the lines that kinds of failures leave.
  const left = sections.failed.shown - ledger.entries('failed').length
  const free = Math.max(0, Math.floor(left / 5))
  const rows = Math.min(sections[name].shown, name === 'failed' ? entries.length : free)
  const shown = isWhole ? entries : entries.slice(0, rows)
  const more = entries.length - shown.length
  const count = rows > 0 ? `and ${more} more` : more
  const note = more > 0 ? ` (${count} kinds, which --report FILE lists)` : ''
  const lines = shown.flatMap(({ text, count, places }) => {
    const line = `  ${formatCount(count).padStart(6)}  ${text}`
    const names = places.slice(0, 10).join(', ') + (count > 10 ? ', …' : '')
    if (isWhole) return [line, ...places.map((place) => `          ${place}`)]
    if (name === 'settings') return [`${line}: ${names}`]
    return [`${line}${count > 1 ? ', first' : ':'} ${places[0] ?? ''}`]
  })
  return ['', style(sections[name].title) + note, ...lines]
}
