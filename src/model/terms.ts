// Categories, tags and authors: from a folder of Markdown files, a YAML list, or both.
import { compareCodePoints } from '../api/bytes.ts'
import type { Author, Term, TermKind } from '../api/resources.ts'
import type { ParsedFile, RawWorkspace, RawYaml, YamlEntry, YamlValue } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import { ownFields, readCustomFields } from './custom-fields.ts'
import { type Destinations, type MediaFile, readPicture } from './destinations.ts'
import { type Claim, checkFileSlug, createClaim, foldCase, slugify } from './identifier.ts'
import { gatherFields, type Mappings, mapFields, mappedTermFields } from './map-fields.ts'
import {
  type Fields,
  fieldsOf,
  fileStem,
  type Problems,
  type Reading,
  readFields,
  readingOf,
  readList,
  socialsOf,
  unknownKey,
  warnUnknownKeys,
} from './read-fields.ts'
import { termKeys } from './schema.ts'
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
  for (const file of files) {
    const inputs = readInputs(file, kind, context.problems)
    if (inputs === undefined)
      terms.addBroken(file.role.kind === 'document' ? [fileStem(file.path)] : [])
    for (const { reading: written, fileSlug, body } of inputs ?? []) {
      const reading = mapTerm(written, kind, context)
      const term = readTerm(kind, { reading, fileSlug, body }, claim, context, terms.pictures)
      if (term === undefined) terms.addBroken(listNames(reading, fileSlug))
      else terms.add(term)
    }
  }
  return terms
}

/** A term before validation: the slug of its file, absent in a list, and the Markdown after its front matter. */
interface TermInput {
  readonly reading: Reading
  readonly fileSlug?: string | undefined
  readonly body: string
}

/** The terms of a file; undefined if it could not be parsed. */
function readInputs(
  { path, role, document, yaml }: ParsedFile,
  kind: TermKind,
  problems: Problems,
): readonly TermInput[] | undefined {
  const file = document ? { ...document, value: document.frontMatter } : yaml
  const body = document?.body.trim() ?? ''
  if (file === undefined) return undefined
  if (role.kind === 'list')
    return readTermList(file, kind, problems).map((reading) => ({ reading, body }))
  const reading = readingOf(problems, file, file.value)
  return [{ reading, fileSlug: fileStem(path), body }]
}

function mapTerm(written: Reading, kind: TermKind, { mappings, settings }: TermContext): Reading {
  const { fields, usedKeys } = mapFields(written.fields, mappings[kind], mappedTermFields)
  const own = settings.fieldsOf[kind].map(({ name }) => name)
  if (own.length > 0) gatherFields(fields, own)
  const reading = written.with(fields)
  const known = [...termKeys[kind].known, ...(own.length === 0 ? [] : ['fields']), ...usedKeys]
  warnUnknownKeys(reading, known, {
    withheld: withheldOther,
    unknown: mappings[kind].ignore === true ? () => undefined : unknownKey,
  })
  return reading
}

function listNames({ fields }: Reading, fileSlug: string | undefined): readonly string[] {
  const stated = ['slug', 'id', 'name'].map((field) => fields.get(field)?.value)
  const texts = stated.flatMap((value) => (value?.kind === 'text' ? [value.value] : []))
  return [...texts, ...texts.map(slugify), ...(fileSlug === undefined ? [] : [fileSlug])]
}

/** @returns undefined if there is an error, which has been reported */
function readTerm(
  kind: TermKind,
  { reading, fileSlug, body }: TermInput,
  claim: Claim,
  { settings, destinations }: TermContext,
  pictures: Map<string, MediaFile>,
): AnyTerm | undefined {
  const { schema, bodyKey } = termKeys[kind]
  const stated = readFields(schema, reading)
  if (stated === undefined) return undefined
  const slug = stated.slug ?? (fileSlug && checkFileSlug(fileSlug, reading))
  if (slug === undefined) {
    const [message, hint] = ['`slug` is missing.', 'Add `slug: …` to the entry.']
    if (fileSlug === undefined) reading.report([], { code: 'missing-field', message, hint })
    return undefined
  }
  const id = claim(reading, slug, stated.id)
  if (id === undefined) return undefined
  const text = stated[bodyKey]
  if (text !== undefined && body !== '') {
    const message = `\`${bodyKey}\` is both in the front matter and in the body.`
    reading.report([bodyKey], { code: 'conflicting-fields', message, hint: 'Keep one of them.' })
  }
  const defined = { fields: settings.fieldsOf[kind], isBroken: settings.isBroken }
  const hasFields = defined.fields.length > 0
  const fields = hasFields ? readCustomFields(defined, ownFields(reading), false, {}) : undefined
  if (fields === 'broken') return undefined
  const about = body || text || null
  const { name, image = null, role = null } = stated
  const { url, media } = readPicture(image, ['image'], reading, destinations)
  if (media !== undefined) pictures.set(id, media)
  const described = { bio: about, description: about, ...(fields && { fields }) }
  return { id, slug, name, image: url ?? image, role, socials: socialsOf(stated), ...described }
}

/** Returns every term of a data file, and reports everything else. */
function readTermList(file: RawYaml, kind: string, problems: Problems): readonly Reading[] {
  const { value } = file
  if (value.kind === 'map') {
    const all = readingOf(problems, file, value)
    return [...value.entries].map(([slug, { keyAt, value: inner }]) =>
      all.with(termFields(slug, keyAt, inner), keyAt),
    )
  }
  // A name in a list is a term with the slug of that name.
  const named = (item: YamlValue): YamlValue =>
    item.kind === 'text'
      ? { kind: 'map', entries: termFields(slugify(item.value), item.at, item), at: item.at }
      : item
  const list = value.kind === 'list' ? { ...value, items: value.items.map(named) } : value
  return readList(file, list, { name: kind, firstKey: 'slug' }, problems)
}

/** The term of a slug: its value is a map, or just a name. */
function termFields(value: string, at: YamlValue['at'], inner: YamlValue): Fields {
  const slug: YamlEntry = { keyAt: at, value: { kind: 'text', value, isPlain: false, at } }
  const name: YamlEntry = { keyAt: inner.at, value: inner }
  const own = inner.kind === 'text' ? new Map([['name', name]]) : fieldsOf(inner)
  return new Map([['slug', slug], ...own])
}
