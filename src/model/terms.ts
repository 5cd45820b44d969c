// Categories, tags and authors: from a folder of Markdown files, a YAML list, or both.
import { compareCodePoints } from '../api/bytes.ts'
import type { Author, Term, TermKind } from '../api/resources.ts'
import type { RawWorkspace } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import { ownFields, readCustomFields } from './custom-fields.ts'
import { type Destinations, type MediaFile, readPicture } from './destinations.ts'
import { type Claim, checkSlug, createClaim, foldCase, slugify } from './identifier.ts'
import { type Mappings, mapTerm } from './map-fields.ts'
import {
  type Entry,
  entriesOf,
  fileStem,
  type Kind,
  type Problems,
  readEntry,
  socialsOf,
} from './read-fields.ts'
import { type TermFields, termKeys } from './schema.ts'
import type { WorkspaceSettings } from './settings.ts'
import { withheldOther } from './withheld-keys.ts'

/** Compares categories, tags or authors by lower-cased name, then by id, both ascending. */
export function compareTerms(a: TermName, b: TermName): number {
  return (
    compareCodePoints(a.name.toLowerCase(), b.name.toLowerCase()) || compareCodePoints(a.id, b.id)
  )
}

type TermName = Pick<Term, 'name' | 'id'>

/** Builds a record with one value per kind of term. */
export function byTermKind<T>(of: (kind: TermKind) => T): Readonly<Record<TermKind, T>> {
  return { categories: of('categories'), tags: of('tags'), authors: of('authors') }
}

/** An author has all fields of a term. */
export type AnyTerm = Term & Author

/** The details of a term that states none. */
export const noDetails: Omit<AnyTerm, 'id' | 'slug' | 'name'> = {
  ...{ image: null, role: null, socials: [], bio: null, description: null },
}

/** The terms of one kind; grows if references create missing terms. */
export class TermSet {
  /** The published images of authors, by id. Grows. */
  readonly pictures: Map<string, MediaFile> = new Map()
  /** Ids of the terms without a file. Grows. */
  readonly created: string[] = []
  /** False if a data file with errors may contain any term. */
  isComplete = true
  readonly #terms: AnyTerm[] = []
  readonly #byIdentifier = new Map<string, AnyTerm>()
  /** By name, slug and id without case; the first of several names. */
  readonly #byFolded = new Map<string, AnyTerm>()

  find(identifier: string): AnyTerm | undefined {
    return this.#byIdentifier.get(identifier)
  }

  /** Finds a term by name, slug or id, ignoring case. */
  findLoosely(text: string): AnyTerm | undefined {
    return this.#byFolded.get(foldCase(text))
  }

  nearestSlug(identifier: string): string | undefined {
    const slugs = this.#terms.map(({ slug }) => slug)
    return nearest(identifier, slugs)
  }

  get sorted(): readonly AnyTerm[] {
    return this.#terms.toSorted(compareTerms)
  }

  add(term: AnyTerm): void {
    this.#terms.push(term)
    for (const identifier of [term.id, term.slug]) this.#byIdentifier.set(identifier, term)
    for (const name of [term.name, term.id, term.slug].map(foldCase))
      if (!this.#byFolded.has(name)) this.#byFolded.set(name, term)
  }

  /** Makes references to a term with errors valid, which would otherwise be errors too. @param names of the term */
  addBroken(names: readonly string[]): void {
    const [id] = names
    if (id === undefined) this.isComplete = false
    else
      for (const name of names)
        if (!this.#byIdentifier.has(name))
          this.#byIdentifier.set(name, { id, slug: id, name: id, ...noDetails })
  }
}

/** The input of terms. */
export interface TermContext {
  readonly mappings: Mappings
  readonly problems: Problems
  readonly destinations: Destinations
  readonly settings: Pick<WorkspaceSettings, 'fieldsOf' | 'isBroken'>
}

/** Reads every term of a kind. Terms with errors are reported and left out. */
export function readTerms(raw: RawWorkspace, kind: TermKind, context: TermContext): TermSet {
  const files = (['document', 'entry', 'list'] as const).flatMap((role) =>
    raw.files.filter((file) => file.role.kind === role && file.role.of === kind),
  )
  const terms = new TermSet()
  const claim = createClaim(raw.id, kind)
  const form = { name: kind, firstKey: 'slug', isNamed: true } as const
  for (const file of files) {
    const entries = entriesOf(file, form, context.problems)
    if (entries === undefined)
      terms.addBroken(file.role.kind === 'list' ? [] : [fileStem(file.path)])
    for (const entry of entries ?? []) {
      const term = readTerm(kind, entry, claim, context, terms.pictures)
      if (term === undefined) terms.addBroken(namesIn(entry))
      else terms.add(term)
    }
  }
  return terms
}

function namesIn({ reading, given }: Entry): readonly string[] {
  const stated = ['slug', 'id', 'name'].map((field) => reading.fields.get(field)?.value)
  const texts = stated.flatMap((value) => (value?.kind === 'text' ? [value.value] : []))
  return [...texts, ...texts.map(slugify), given?.slug ?? []].flat()
}

/** @returns undefined if there is an error, which has been reported */
function readTerm(
  kind: TermKind,
  { reading: written, given, document }: Entry,
  claim: Claim,
  { mappings, settings, destinations }: TermContext,
  pictures: Map<string, MediaFile>,
): AnyTerm | undefined {
  const { schema, known, bodyKey } = termKeys[kind]
  const defined = { fields: settings.fieldsOf[kind], isBroken: settings.isBroken }
  const names = defined.fields.map(({ name }) => name)
  const rules: Kind<TermFields> = {
    schema,
    map: (fields) => mapTerm(fields, mappings[kind], names),
    known: [...known, ...(names.length === 0 ? [] : ['fields', ...names])],
    isSilent: mappings[kind].ignore === true,
  }
  const { fields: stated, failed, reading } = readEntry(written, rules, () => withheldOther)
  if (failed.size > 0) return undefined
  const slug = stated.slug ?? checkSlug(given, reading)
  const id = slug && claim(reading, slug, stated.id)
  const text = stated[bodyKey]
  const body = document?.body.trim() ?? ''
  if (text !== undefined && body !== '') {
    const message = `\`${bodyKey}\` is both in the front matter and in the body.`
    reading.report([bodyKey], { code: 'conflicting-fields', message, hint: 'Keep one of them.' })
  }
  const own = names[0] ? readCustomFields(defined, ownFields(reading), false, {}) : undefined
  const { name, image = null, role = null } = stated
  const { url, media } = readPicture(image, ['image'], reading, destinations)
  if (!slug || !id || own === 'broken') return undefined
  if (media !== undefined) pictures.set(id, media)
  const about = body || text || null
  const described = { bio: about, description: about, ...(own && { fields: own }) }
  return { id, slug, name, image: url ?? image, role, socials: socialsOf(stated), ...described }
}
