// Categories, tags and authors: from a folder of Markdown files, a YAML list, or both.
import type { Author, Term, TermKind } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { RawDocument, RawWorkspace, RawYaml, YamlEntry, YamlValue } from '../content/raw.ts'
import { socialsOf } from './author-names.ts'
import { type Destinations, type MediaFile, readPicture } from './destinations.ts'
import { type Mappings, mappedTermFields, type TermMapping } from './front-matter-mapping.ts'
import { foldCase, slugify } from './identifier.ts'
import { checkedFileSlug, Identities } from './identities.ts'
import { mapFields } from './map-fields.ts'
import { fileNameOf, type Problems } from './problems.ts'
import {
  type Fields,
  fieldsOf,
  placeOf,
  type Reading,
  readFields,
  warnUnknownKeys,
} from './read-fields.ts'
import { readList } from './read-list.ts'
import {
  type AuthorFields,
  authorSchema,
  knownKeys,
  type TermFields,
  termSchema,
} from './schema.ts'
import { withheldTerm } from './withheld-keys.ts'

/** An author has all fields of a term. */
export type AnyTerm = Term & Author

/** The origins of terms. */
interface TermOrigins extends Pick<TermSet, 'listFile' | 'pictures'> {
  /** Names of terms with errors; a data file with errors may contain any term. */
  readonly doubtful: ReadonlySet<string>
}

const noOrigins: TermOrigins = { doubtful: new Set(), listFile: undefined, pictures: new Map() }

/** The terms of one kind; grows if references create missing terms. */
export class TermSet<T extends AnyTerm = AnyTerm> {
  readonly #terms: T[]
  readonly #created: string[] = []
  readonly #byIdentifier = new Map<string, T>()
  readonly #byFoldedIdentifier = new Map<string, T>()
  /** By lower-cased name; the first of several. */
  readonly #byName = new Map<string, T>()
  /** Index of slugs, built on first use. */
  readonly #doubtful: ReadonlySet<string>
  readonly #hasBrokenList: boolean

  /** The file of a list that states terms; undefined if each has a file of its own. */
  readonly listFile: string | undefined

  /** The published images of authors, by id. Grows. */
  readonly pictures: Map<string, MediaFile>

  constructor(terms: readonly T[], { doubtful, listFile, pictures }: TermOrigins = noOrigins) {
    this.pictures = pictures
    this.#terms = [...terms]
    this.listFile = listFile
    this.#doubtful = doubtful
    this.#hasBrokenList = [...doubtful].some((name) => dataFile.test(name))
    for (const term of terms) this.#name(term)
  }

  /** Finds a term by exact slug or id. */
  find(identifier: string): T | undefined {
    return this.#byIdentifier.get(identifier)
  }

  /** Finds a term by name, ignoring case, as people write names in place of slugs. */
  findNamed(name: string): T | undefined {
    return this.#byName.get(name.toLowerCase())
  }

  /** Finds a term by slug or id, ignoring case. */
  findIgnoringCase(identifier: string): T | undefined {
    return this.#byFoldedIdentifier.get(foldCase(identifier))
  }

  /** Reports whether a term of this name may exist in a file with errors, which have been reported. */
  isDoubtful(identifier: string): boolean {
    return this.#hasBrokenList || this.#doubtful.has(identifier)
  }

  /** Adds a term without a file. */
  add(term: T): T {
    this.#created.push(term.id)
    this.#terms.push(term)
    this.#name(term)
    return term
  }

  /** Returns the most similar slug, if any. */
  nearestSlug(identifier: string): string | undefined {
    return nearest(
      identifier,
      this.#terms.map((term) => term.slug),
    )
  }

  /** Ids of the terms without a file. */
  created(): readonly string[] {
    return this.#created
  }

  /** Returns a sorted copy. */
  sorted(compare: (a: T, b: T) => number): readonly T[] {
    return [...this.#terms].sort(compare)
  }

  #name(term: T): void {
    const name = term.name.toLowerCase()
    if (!this.#byName.has(name)) this.#byName.set(name, term)
    for (const identifier of [term.id, term.slug]) {
      this.#byIdentifier.set(identifier, term)
      this.#byFoldedIdentifier.set(foldCase(identifier), term)
    }
  }
}

/** Reads every term of a kind. Terms with errors are reported and left out. */
export function readTerms(
  raw: RawWorkspace,
  kind: TermKind,
  { mappings, problems, destinations }: TermContext,
): TermSet {
  const identities = new Identities(raw.id, kind, problems)
  const documents = (raw.documents.get(kind) ?? []).map(documentInput)
  const lists = raw.lists.get(kind) ?? []
  const entries = [
    ...(raw.entries.get(kind) ?? []).map(dataInput),
    ...lists.flatMap((list) => readTermList(list, kind, problems)).map(entryInput),
  ]
  const terms: AnyTerm[] = []
  const pictures = new Map<string, MediaFile>()
  const doubtful = (raw.unreadable.get(kind) ?? []).map((file) =>
    dataFile.test(file) ? file : fileNameOf(file),
  )
  for (const input of [...documents, ...entries]) {
    const mapped = mapInput(input, mappings[kind])
    const term = readTerm(kind, mapped, identities, problems)
    if (term === undefined) {
      doubtful.push(...statedNames(mapped))
      continue
    }
    const picture =
      destinations && readPicture(term.image, ['image'], mapped.reading, { destinations, problems })
    if (picture?.media !== undefined) pictures.set(term.id, picture.media)
    terms.push({ ...term, image: picture?.url ?? term.image })
  }
  const [list] = documents.length === 0 ? lists : []
  const listFile = list?.file.replace(`${raw.id}/`, '')
  return new TermSet(terms, { doubtful: new Set(doubtful), listFile, pictures })
}

/** A data file may have one term or many, whatever its name. */
const dataFile = /\.(?:ya?ml|json)$/u

/** Returns the names by which posts may refer to a term with errors. */
function statedNames({ reading, fileSlug }: TermInput): readonly string[] {
  const stated = ['slug', 'id', 'name'].map((field) => reading.fields.get(field)?.value)
  const texts = stated.flatMap((value) => (value?.kind === 'text' ? [value.value] : []))
  if (fileSlug === undefined && texts.length === 0) return [reading.source.file]
  return [...texts, ...texts.map(slugify), ...(fileSlug === undefined ? [] : [fileSlug])]
}

/** The input of terms. */
export interface TermContext {
  readonly mappings: Mappings
  readonly problems: Problems
  /** Resolves images of authors. @default they are left as written */
  readonly destinations?: Destinations
}

/** A term before validation. */
interface TermInput {
  readonly reading: Reading
  /** Keys that the mapping reads, or ignores by name. */
  readonly usedKeys?: readonly string[]
  /** True if the mapping ignores all other keys. */
  readonly ignoresOthers?: boolean
  /** Slug from the file's name; absent in a list. */
  readonly fileSlug?: string
  /** The Markdown after the front matter. */
  readonly body: string
}

function documentInput(document: RawDocument): TermInput {
  const source = { file: document.file, text: document.source }
  return {
    reading: { source, fields: document.frontMatter.entries, at: document.frontMatter.at },
    fileSlug: fileNameOf(document.file),
    body: document.body.trim(),
  }
}

/** A term with its own data file. */
function dataInput({ file, source: text, value }: RawYaml): TermInput {
  const reading = { source: { file, text }, fields: fieldsOf(value), at: value.at }
  return { reading, fileSlug: fileNameOf(file), body: '' }
}

function entryInput(reading: Reading): TermInput {
  return { reading, body: '' }
}

/** Maps the fields of a term. Unknown keys keep the names in the file. */
function mapInput(input: TermInput, mapping: TermMapping): TermInput {
  const { fields, usedKeys } = mapFields(input.reading.fields, mapping, mappedTermFields)
  const ignoresOthers = mapping.ignore === true
  return { ...input, reading: { ...input.reading, fields }, usedKeys, ignoresOthers }
}

function readTerm(
  kind: TermKind,
  input: TermInput,
  identities: Identities,
  problems: Problems,
): AnyTerm | undefined {
  const { reading, usedKeys = [], ignoresOthers = false } = input
  const known = kind === 'authors' ? knownKeys.author : knownKeys.term
  warnUnknownKeys(reading, [...known, ...usedKeys], problems, {
    withheld: withheldTerm(kind),
    isSilent: ignoresOthers,
  })
  const fields =
    kind === 'authors'
      ? readFields(authorSchema, reading, problems)
      : asAuthor(readFields(termSchema, reading, problems))
  if (fields === undefined) return undefined
  const slug = fields.slug ?? slugOfInput(input, problems)
  if (slug === undefined) return undefined
  const id = identities.claim(slug, fields.id, reading)
  if (id === undefined) return undefined
  return makeTerm(fields, slug, id, textOf(input, fields.bio, kind, problems))
}

function asAuthor(fields: TermFields | undefined): AuthorFields | undefined {
  return fields && { ...fields, bio: fields.description, image: null, role: null, socials: [] }
}

function slugOfInput({ reading, fileSlug }: TermInput, problems: Problems): string | undefined {
  if (fileSlug !== undefined) return checkedFileSlug(fileSlug, reading.source, problems)
  problems.report(reading.source, reading.at, {
    code: 'missing-field',
    message: '`slug` is missing.',
    hint: 'Add `slug: …` to the entry.',
  })
  return undefined
}

/** Returns the bio or description: the body, or else the field of that name. */
function textOf(
  { reading, body }: TermInput,
  field: string | undefined,
  kind: TermKind,
  problems: Problems,
): string | null {
  if (field === undefined || body === '') return (field ?? body) || null
  const name = kind === 'authors' ? 'bio' : 'description'
  problems.report(reading.source, placeOf(reading, [name]), {
    code: 'conflicting-fields',
    message: `\`${name}\` is both in the front matter and in the body.`,
    hint: 'Keep one of them.',
  })
  return body
}

function makeTerm(
  fields: Pick<AuthorFields, 'name' | 'image' | 'role' | 'socials' | 'url'>,
  slug: string,
  id: string,
  about: string | null,
): AnyTerm {
  const { name, image, role } = fields
  return { id, slug, name, image, role, socials: socialsOf(fields), bio: about, description: about }
}

/** Returns every term of a data file, and reports everything else. */
export function readTermList(list: RawYaml, kind: string, problems: Problems): readonly Reading[] {
  const { file, source: text, value } = list
  const source = { file, text }
  if (value.kind === 'map') {
    return [...value.entries].map(([slug, { keyAt, value: inner }]) => {
      const named: YamlEntry = {
        keyAt,
        value: { kind: 'text', value: slug, isPlain: false, at: keyAt },
      }
      return { source, fields: withSlug(named, inner), at: keyAt }
    })
  }
  if (value.kind !== 'list') return readList(list, { name: kind, firstKey: 'slug' }, problems)
  const items = value.items.map((item) => (item.kind === 'text' ? named(item, item.value) : item))
  const form = { name: kind, firstKey: 'slug' }
  return readList({ ...list, value: { ...value, items } }, form, problems)
}

/** Converts the entry of a slug: its value is a map, or just a name. */
function withSlug(slug: YamlEntry, inner: YamlValue): Fields {
  if (inner.kind === 'text')
    return new Map([
      ['slug', slug],
      ['name', { keyAt: inner.at, value: inner }],
    ])
  const fields = fieldsOf(inner)
  return fields.has('slug') ? fields : new Map([['slug', slug], ...fields])
}

/** Converts a name in a list to a term with the slug of that name. */
function named(value: YamlValue, name: string): YamlValue {
  const { at } = value
  const slug: YamlValue = { kind: 'text', value: slugify(name), isPlain: false, at }
  const entries = Object.entries({ slug, name: value })
  return {
    kind: 'map',
    entries: new Map(entries.map(([key, of]) => [key, { keyAt: at, value: of }])),
    at,
  }
}
