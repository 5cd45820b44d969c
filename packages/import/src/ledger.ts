// The ledger of an import: the one place that counts every file of the source, every key of its front matter, and every
// piece of markup that is translated, changed or left out. The report is made from it and from nothing else.
import { formatCount, plural, type Terminal } from 'quarry/authoring'

/**
 * `files`: a file that is no post. `mapped`: imported under another name. `changed`: imported in another form. `left`:
 * not imported. `failed`: a post needs a look; it is a draft, or missing.
 */
export type Section = 'files' | 'mapped' | 'changed' | 'left' | 'failed'

/** What became of a file of the source. */
export type Fate = 'posts' | 'drafts' | 'pages' | 'data' | 'images' | 'skipped'

/** What became of a key: a field of quarry, a custom field, or nothing. */
export type KeyFate = 'mapped' | 'kept' | 'left'

/** Files by outcome: `written` is new, `present` existed with the same bytes, `kept` with other bytes. */
export type FileOutcome = 'written' | 'present' | 'kept'

/** All events of one kind. */
export interface Entry {
  readonly section: Section
  readonly text: string
  readonly count: number
  /** `file`, or `file:line:column`. */
  readonly places: readonly string[]
}

/** The numbers of one book: what was found, and what became of it. */
export interface Balance {
  readonly found: number
  readonly fates: Readonly<Record<string, number>>
  readonly isBalanced: boolean
}

/** How well `links.post` gives the addresses of the site. */
export interface AddressCount {
  readonly pattern: string
  readonly given: number
  readonly posts: number
}

const fates: readonly Fate[] = ['posts', 'drafts', 'pages', 'data', 'images', 'skipped']
const keyFates: readonly KeyFate[] = ['mapped', 'kept', 'left']

/** Maximum number of distinct kinds of events, and of places of one kind: a source may contain arbitrary names. */
const kindsMax = 10_000
const placesMax = 100_000

/** Memory: one entry for each file, and one place for each event. */
export class Ledger {
  readonly #entries = new Map<string, { count: number; places: string[] }>()
  readonly #files = new Map<string, Fate | undefined>()
  readonly #keys = new Map<KeyFate, number>()
  #keysFound = 0
  readonly #written = new Map<string, number>()
  /** Set when the pattern of URLs is known. */
  addresses: AddressCount | undefined

  /** Adds an event. @param text names the kind of event @param place `file`, or `file:line:column` */
  add(section: Section, text: string, place: string, count = 1): void {
    const kind = `${section}\n${text}`
    const isKnown = this.#entries.has(kind) || this.#entries.size < kindsMax
    const key = isKnown ? kind : `${section}\nsomething of a further kind`
    const entry = this.#entries.get(key) ?? { count: 0, places: [] }
    entry.count += count
    if (entry.places.length < placesMax) entry.places.push(place)
    this.#entries.set(key, entry)
  }

  /** Records that the source has a file, or that an export has an item. */
  find(file: string): void {
    if (!this.#files.has(file)) this.#files.set(file, undefined)
  }

  /** Decides what became of a file, unless that is decided. @param reason for pages and skipped files */
  settle(file: string, fate: Fate, reason?: string): void {
    if (this.#files.get(file) !== undefined) return
    this.#files.set(file, fate)
    if (reason !== undefined)
      this.add('files', `${fate === 'pages' ? 'page' : 'skipped'}: ${reason}`, file)
  }

  /** Decides about the files that nothing has read. */
  close(): void {
    for (const [file, fate] of this.#files)
      if (fate === undefined) this.settle(file, 'skipped', reasonFor(file))
  }

  /** Records the keys of a post's front matter. */
  findKeys(count: number): void {
    this.#keysFound += count
  }

  /** Decides what became of a key. @param text the target or the reason; undefined for a key with its own name */
  key(fate: KeyFate, text: string | undefined, place: string): void {
    this.#keys.set(fate, (this.#keys.get(fate) ?? 0) + 1)
    if (text !== undefined) this.add(fate === 'left' ? 'left' : 'mapped', text, place)
  }

  /** Counts a written file. @param kind `posts`, `images` and so on */
  countFile(kind: string, outcome: FileOutcome): void {
    const key = `${kind} ${outcome}`
    this.#written.set(key, (this.#written.get(key) ?? 0) + 1)
  }

  /** The number of written files of a kind with an outcome. */
  files(kind: string, outcome: FileOutcome): number {
    return this.#written.get(`${kind} ${outcome}`) ?? 0
  }

  /** True when a post needs a look. */
  get hasFailures(): boolean {
    return this.entries('failed').length > 0
  }

  /** The entries of a section: most frequent first, ties by text in code unit order. */
  entries(section: Section): readonly Entry[] {
    return [...this.#entries]
      .filter(([key]) => key.startsWith(`${section}\n`))
      .map(([key, entry]) => ({ section, text: key.slice(section.length + 1), ...entry }))
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
  }

  /** Files found = posts + drafts + pages + data + images + skipped. */
  get fileBalance(): Balance {
    const all = [...this.#files.values()]
    const counts = fates.map(
      (fate) => [fate, all.filter((found) => found === fate).length] as const,
    )
    return balance(all.length, counts)
  }

  /** Keys found = mapped + kept in `fields` + left. */
  get keyBalance(): Balance {
    return balance(
      this.#keysFound,
      keyFates.map((fate) => [fate, this.#keys.get(fate) ?? 0] as const),
    )
  }

  /** Everything, for `--report FILE.json`. */
  toJSON(): object {
    return {
      written: Object.fromEntries(
        Object.keys(nouns).map((kind) => [
          kind,
          this.files(kind, 'written') + this.files(kind, 'present'),
        ]),
      ),
      files: this.fileBalance,
      keys: this.keyBalance,
      addresses: this.addresses,
      entries: sections.flatMap((section) => this.entries(section)),
    }
  }
}

function balance(found: number, counts: readonly (readonly [string, number])[]): Balance {
  const sum = counts.reduce((total, [, count]) => total + count, 0)
  return { found, fates: Object.fromEntries(counts), isBalanced: sum === found }
}

function reasonFor(file: string): string {
  if (/\.(?:avif|gif|jpe?g|png|svg|webp|ico|bmp|tiff?)$/i.test(file))
    return 'image that no post shows'
  return /\.(?:md|markdown|mdx)$/i.test(file)
    ? 'Markdown outside of the posts'
    : 'no post (templates, programs, styles and other files)'
}

const sections: readonly Section[] = ['failed', 'files', 'left', 'changed', 'mapped']

const nouns = {
  ...{ posts: 'post', authors: 'author', categories: 'category', tags: 'tag', images: 'image' },
}

const titles: Readonly<Record<Section, string>> = {
  failed: 'Needs a look',
  files: 'Files that are no posts',
  left: 'Not carried over',
  changed: 'Changed',
  mapped: 'Mapped',
}

/** The number of entries of each section in a short report, which has at most 40 lines. */
const entriesShown: Readonly<Record<Section, number>> = {
  ...{ failed: 8, files: 3, left: 4, changed: 4, mapped: 2 },
}

/** A report: short, or with every entry and place. */
export interface ReportForm {
  /** Where the files were written. */
  readonly folder: string
  readonly terminal: Terminal
  readonly isWhole?: boolean
}

/** Formats counts, balances, every kind of event with its first location, and the next step. */
export function describeImport(ledger: Ledger, form: ReportForm): string {
  return [
    headline(ledger, form),
    ...balances(ledger),
    ...sections.flatMap((name) => describeSection(ledger, name, form)),
    ...nextSteps(ledger, form.terminal),
  ].join('\n')
}

function headline(ledger: Ledger, { folder, terminal }: ReportForm): string {
  const counts = Object.entries(nouns).flatMap(([kind, noun]) => {
    const present = ledger.files(kind, 'present')
    const all = ledger.files(kind, 'written') + present
    const there = present === 0 ? '' : ` (${formatCount(present)} there before)`
    return all === 0 ? [] : [`${plural(all, noun)}${there}`]
  })
  const text = counts.length === 0 ? 'nothing' : counts.join(', ')
  return `${terminal.green('Imported')} ${text} into ${terminal.bold(folder)}`
}

function balances({ fileBalance, keyBalance, addresses }: Ledger): readonly string[] {
  const line = (name: string, { found, fates, isBalanced }: Balance) => {
    const sum = Object.entries(fates)
      .filter(([, count]) => count > 0)
      .map(
        ([fate, count]) => `${formatCount(count)} ${count === 1 ? fate.replace(/s$/, '') : fate}`,
      )
    const sign = isBalanced ? '=' : '≠ (a fault of the import)'
    return found === 0 ? [] : [`  ${name} ${formatCount(found)} found ${sign} ${sum.join(' + ')}`]
  }
  const lines = [...line('files', fileBalance), ...line('keys ', keyBalance)]
  if (addresses === undefined) return lines
  const { pattern, given, posts } = addresses
  const text = `${pattern} gives the site's own URL for ${formatCount(given)} of ${plural(posts, 'post')}`
  return [...lines, `  URLs  ${text}`]
}

function describeSection(
  ledger: Ledger,
  name: Section,
  { terminal, isWhole = false }: ReportForm,
): readonly string[] {
  const entries = ledger.entries(name)
  if (entries.length === 0) return []
  const style = name === 'failed' ? terminal.red : terminal.bold
  const shown = isWhole ? entries : entries.slice(0, entriesShown[name])
  const more = entries.length - shown.length
  const note = more > 0 ? ` (and ${more} more kinds, which --report FILE lists)` : ''
  const lines = shown.flatMap(({ text, count, places }) => {
    const line = `  ${formatCount(count).padStart(6)}  ${text}`
    return isWhole
      ? [line, ...places.map((place) => `          ${place}`)]
      : [`${line}${count > 1 ? ', first' : ':'} ${places[0] ?? ''}`]
  })
  return ['', style(titles[name]) + note, ...lines]
}

function nextSteps(ledger: Ledger, terminal: Terminal): readonly string[] {
  const steps = [`  ${terminal.cyan('npx quarry build')}`]
  if (ledger.hasFailures)
    steps.unshift(
      '  Posts that need a look are drafts. Correct them, or import into another workspace with --keep-unknown.',
      ...templateStep(ledger),
    )
  return ['', 'Next:', ...steps]
}

function templateStep(ledger: Ledger): readonly string[] {
  const unknown = /undefined filter: (\w+)|^shortcode "([\w/-]+)" has no/
  const [, filter, shortcode] =
    ledger
      .entries('failed')
      .map(({ text }) => unknown.exec(text))
      .find((found) => found !== null) ?? []
  if (filter === undefined && shortcode === undefined) return []
  const template = filter === undefined ? `${shortcode}={{ .Get 0 }}` : `${filter}={{ value }}`
  return [`  Or say in a template what it shows: --template '${template}'.`]
}
