// Categories, tags and authors: from a folder of Markdown files, a YAML list, or both.
import { compareCodePoints } from '../api/bytes.ts'
import type { Author, Term, TermKind } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { RawWorkspace, RawYaml, YamlEntry, YamlValue } from '../content/raw.ts'
import { socialsOf } from './author-names.ts'
import { type Destinations, type MediaFile, readPicture } from './destinations.ts'
import { type Mappings, mappedTermFields } from './front-matter-mapping.ts'
import { foldCase, slugify } from './identifier.ts'
import { checkedFileSlug, Identities } from './identities.ts'
import { mapFields } from './map-fields.ts'
import { fileNameOf, type Problems } from './problems.ts'
import {
  fieldsOf,
  placeOf,
  type Reading,
  readFields,
  readList,
  unknownKey,
  warnUnknownKeys,
} from './read-fields.ts'
import { authorSchema, knownKeys, type TermFields, termSchema } from './schema.ts'
import { withheldTerm } from './withheld-keys.ts'

/** Compares categories, tags or authors by lower-cased name, then by id, both ascending. */
export function compareTerms(a: TermName, b: TermName): number {
  return (
    compareCodePoints(a.name.toLowerCase(), b.name.toLowerCase()) || compareCodePoints(a.id, b.id)
  )
}

type TermName = Pick<Term, 'name' | 'id'>

/** An author has all fields of a term. */
export type AnyTerm = Term & Author

/** The terms of one kind; grows if references create missing terms. */
export class TermSet {
  /** The file of a list that states terms; undefined if each has a file of its own. */
  readonly listFile: string | undefined
  /** The published images of authors, by id. Grows. */
  readonly pictures: Map<string, MediaFile>
  /** Ids of the terms without a file. Grows. */
  readonly created: string[] = []
  readonly #terms: AnyTerm[] = []
  readonly #byIdentifier = new Map<string, AnyTerm>()
  readonly #byFoldedIdentifier = new Map<string, AnyTerm>()
  /** By lower-cased name; the first of several. */
  readonly #byName = new Map<string, AnyTerm>()
  /** Names of terms with errors. */
  readonly #doubtful: ReadonlySet<string>
  /** True for a data file with errors, which may contain any term. */
  readonly #hasBrokenList: boolean

  constructor(
    terms: readonly AnyTerm[],
    doubtful: readonly string[],
    listFile: string | undefined,
    pictures: Map<string, MediaFile>,
  ) {
    this.listFile = listFile
    this.pictures = pictures
    this.#doubtful = new Set(doubtful)
    this.#hasBrokenList = doubtful.some((name) => dataFile.test(name))
    for (const term of terms) this.#index(term)
  }

  /** Finds a term by exact slug or id. */
  find(identifier: string): AnyTerm | undefined {
    return this.#byIdentifier.get(identifier)
  }

  /** Finds a term by name, ignoring case, as people write names in place of slugs. */
  findNamed(name: string): AnyTerm | undefined {
    return this.#byName.get(name.toLowerCase())
  }

  /** Finds a term by slug or id, ignoring case. */
  findIgnoringCase(identifier: string): AnyTerm | undefined {
    return this.#byFoldedIdentifier.get(foldCase(identifier))
  }

  /** Reports whether a term of this name may exist in a file with errors, which have been reported. */
  isDoubtful(identifier: string): boolean {
    return this.#hasBrokenList || this.#doubtful.has(identifier)
  }

  /** Adds a term without a file. */
  add(term: AnyTerm): AnyTerm {
    this.created.push(term.id)
    this.#index(term)
    return term
  }

  /** Returns the most similar slug, if any. */
  nearestSlug(identifier: string): string | undefined {
    const slugs = this.#terms.map(({ slug }) => slug)
    return nearest(identifier, slugs)
  }

  /** In name order. */
  get sorted(): readonly AnyTerm[] {
    return this.#terms.toSorted(compareTerms)
  }

  #index(term: AnyTerm): void {
    this.#terms.push(term)
    const name = term.name.toLowerCase()
    if (!this.#byName.has(name)) this.#byName.set(name, term)
    for (const identifier of [term.id, term.slug]) {
      this.#byIdentifier.set(identifier, term)
      this.#byFoldedIdentifier.set(foldCase(identifier), term)
    }
  }
}

/** A term before validation. */
interface TermInput {
  readonly reading: Reading
  /** Slug from the file's name; absent in a list. */
  readonly fileSlug?: string
  /** The Markdown after the front matter. */
  readonly body: string
}

/** The input of terms. */
interface TermContext {
  readonly mappings: Mappings
  readonly problems: Problems
  /** Resolves images of authors. */
  readonly destinations: Destinations
}

/** A data file may have one term or many, whatever its name. */
const dataFile = /\.(?:ya?ml|json)$/u

/** Reads every term of a kind. Terms with errors are reported and left out. */
export function readTerms(raw: RawWorkspace, kind: TermKind, context: TermContext): TermSet {
  const identities = new Identities(raw.id, kind, context.problems)
  const terms: AnyTerm[] = []
  const pictures = new Map<string, MediaFile>()
  const doubtful = (raw.unreadable.get(kind) ?? []).map((file) =>
    dataFile.test(file) ? file : fileNameOf(file),
  )
  for (const input of inputsOf(raw, kind, context.problems)) {
    const { fields, usedKeys } = mapFields(
      input.reading.fields,
      context.mappings[kind],
      mappedTermFields,
    )
    const mapped = { ...input, reading: { ...input.reading, fields } }
    const term = readTerm(kind, mapped, usedKeys, identities, context)
    if (term === undefined) {
      doubtful.push(...statedNames(mapped))
      continue
    }
    const { url, media } = readPicture(term.image, ['image'], mapped.reading, context)
    if (media !== undefined) pictures.set(term.id, media)
    terms.push({ ...term, image: url ?? term.image })
  }
  const [list] = raw.documents.get(kind)?.length ? [] : (raw.lists.get(kind) ?? [])
  return new TermSet(terms, doubtful, list?.file.replace(`${raw.id}/`, ''), pictures)
}

function inputsOf(raw: RawWorkspace, kind: TermKind, problems: Problems): readonly TermInput[] {
  const documents = (raw.documents.get(kind) ?? []).map(
    ({ file, source: text, frontMatter, body }): TermInput => ({
      reading: { source: { file, text }, fields: frontMatter.entries, at: frontMatter.at },
      fileSlug: fileNameOf(file),
      body: body.trim(),
    }),
  )
  const files = (raw.entries.get(kind) ?? []).map(({ file, source: text, value }): TermInput => {
    const reading = { source: { file, text }, fields: fieldsOf(value), at: value.at }
    return { reading, fileSlug: fileNameOf(file), body: '' }
  })
  const lists = (raw.lists.get(kind) ?? []).flatMap((list) => readTermList(list, kind, problems))
  return [...documents, ...files, ...lists.map((reading) => ({ reading, body: '' }))]
}

/** Returns the names by which posts may refer to a term with errors. */
function statedNames({ reading, fileSlug }: TermInput): readonly string[] {
  const stated = ['slug', 'id', 'name'].map((field) => reading.fields.get(field)?.value)
  const texts = stated.flatMap((value) => (value?.kind === 'text' ? [value.value] : []))
  if (fileSlug === undefined && texts.length === 0) return [reading.source.file]
  return [...texts, ...texts.map(slugify), ...(fileSlug === undefined ? [] : [fileSlug])]
}

function readTerm(
  kind: TermKind,
  { reading, fileSlug, body }: TermInput,
  usedKeys: readonly string[],
  identities: Identities,
  { mappings, problems }: TermContext,
): AnyTerm | undefined {
  const isAuthor = kind === 'authors'
  const known = isAuthor ? knownKeys.author : knownKeys.term
  // Unknown keys keep the names in the file.
  warnUnknownKeys(reading, [...known, ...usedKeys], problems, {
    withheld: withheldTerm(kind),
    unknown: mappings[kind].ignore === true ? () => undefined : unknownKey,
  })
  const fields: TermFields | undefined = isAuthor
    ? readFields(authorSchema, reading, problems)
    : readFields(termSchema, reading, problems)
  if (fields === undefined) return undefined
  const slug = fields.slug ?? slugOfFile(fileSlug, reading, problems)
  if (slug === undefined) return undefined
  const id = identities.claim(slug, fields.id, reading)
  if (id === undefined) return undefined
  const textKey = isAuthor ? 'bio' : 'description'
  const text = fields[textKey]
  if (text !== undefined && body !== '') {
    problems.report(reading.source, placeOf(reading, [textKey]), {
      code: 'conflicting-fields',
      message: `\`${textKey}\` is both in the front matter and in the body.`,
      hint: 'Keep one of them.',
    })
  }
  const about = body || text || null
  const { name, image = null, role = null } = fields
  const described = { bio: about, description: about }
  return { id, slug, name, image, role, socials: socialsOf(fields), ...described }
}

function slugOfFile(
  fileSlug: string | undefined,
  { source, at }: Reading,
  problems: Problems,
): string | undefined {
  if (fileSlug !== undefined) return checkedFileSlug(fileSlug, source, problems)
  const message = '`slug` is missing.'
  problems.report(source, at, {
    code: 'missing-field',
    message,
    hint: 'Add `slug: …` to the entry.',
  })
  return undefined
}

/** Returns every term of a data file, and reports everything else. */
function readTermList(list: RawYaml, kind: string, problems: Problems): readonly Reading[] {
  const { file, source: text, value } = list
  if (value.kind === 'map') {
    return [...value.entries].map(([slug, { keyAt, value: inner }]) => {
      return { source: { file, text }, fields: termOf(textAt(slug, keyAt), inner), at: keyAt }
    })
  }
  const items = value.kind === 'list' ? value.items.map(named) : []
  const read = value.kind === 'list' ? { ...list, value: { ...value, items } } : list
  return readList(read, { name: kind, firstKey: 'slug' }, problems)
}

function textAt(value: string, at: YamlValue['at']): YamlEntry {
  return { keyAt: at, value: { kind: 'text', value, isPlain: false, at } }
}

/** The entry of a slug: its value is a map, or just a name. */
function termOf(slug: YamlEntry, value: YamlValue): ReadonlyMap<string, YamlEntry> {
  if (value.kind === 'text')
    return new Map([
      ['slug', slug],
      ['name', { keyAt: value.at, value }],
    ])
  const fields = fieldsOf(value)
  return fields.has('slug') ? fields : new Map([['slug', slug], ...fields])
}

/** Converts a name in a list to a term with the slug of that name. */
function named(item: YamlValue): YamlValue {
  if (item.kind !== 'text') return item
  const { at } = item
  return { kind: 'map', entries: termOf(textAt(slugify(item.value), at), item), at }
}
