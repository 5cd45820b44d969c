// Reads categories, tags and authors from Markdown and data, and resolves references by slug, id or name.
import { compareCodePoints } from '../api/bytes.ts'
import { type Author, type Post, singular, type Term, type TermKind } from '../api/resources.ts'
import type { RawWorkspace } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import { quote } from '../diagnostics.ts'
import { ownFields, readCustomFields } from './custom-fields.ts'
import { type Destinations, type MediaFile, readPicture } from './destinations.ts'
import {
  type Claim,
  checkSlug,
  createClaim,
  deriveId,
  foldCase,
  identifierProblem,
  slugify,
} from './identifier.ts'
import { type Kind, type Mappings, termKind, toSource } from './map-fields.ts'
import {
  collapseSpaces,
  type Entry,
  type FieldPath,
  fileStem,
  type InlineAuthor,
  type Problems,
  parseAuthor,
  type Reading,
  readEntries,
  readEntry,
  socialsOf,
} from './read-fields.ts'
import type { TermFields } from './schema.ts'
import type { WorkspaceSettings } from './settings.ts'
import { withheldOther } from './withheld-keys.ts'

/** Compares categories, tags or authors by lower-cased name, then by id, both ascending. */
export function compareTerms(a: Pick<Term, 'name' | 'id'>, b: Pick<Term, 'name' | 'id'>): number {
  return (
    compareCodePoints(a.name.toLowerCase(), b.name.toLowerCase()) || compareCodePoints(a.id, b.id)
  )
}

/** Builds a record with one value per kind of term. */
export function byTermKind<T>(of: (kind: TermKind) => T): Readonly<Record<TermKind, T>> {
  return { categories: of('categories'), tags: of('tags'), authors: of('authors') }
}

/** A category, a tag or an author, with the fields of every kind. */
export type AnyTerm = Term & Author

/** The details of a term that states none. */
const noDetails: Omit<AnyTerm, 'id' | 'slug' | 'name'> = {
  ...{ image: null, role: null, socials: [], bio: null, description: null },
}

/** The input of terms. */
export interface TermContext {
  readonly workspace: string
  readonly mappings: Mappings
  readonly problems: Problems
  readonly destinations: Destinations
  readonly settings: WorkspaceSettings
}

/** A reference in a post. */
interface Place {
  readonly reading: Reading
  /** Path in the front matter, resolved to a position only for a problem. */
  readonly path: FieldPath
  readonly isDraft: boolean
  /** When the post appears: ISO 8601, UTC; empty for a post that is published or has no date. */
  readonly since: string
  /** True for a default category. */
  readonly isDefault?: boolean
}

/** A post's reference to a created term. */
interface Mention extends Pick<Place, 'since' | 'isDefault'> {
  readonly written: InlineAuthor
  /** The image file of the author. */
  readonly media: MediaFile | undefined
}

/** The terms of one kind; grows if references create missing terms. */
export class TermSet {
  /** The published images of authors, by id. Grows. */
  readonly pictures: Map<string, MediaFile> = new Map()
  /** Ids of the terms without a file. Grows. */
  readonly created: string[] = []
  /** By slug and id; also by the names of terms with errors. Grows. */
  readonly known: Map<string, AnyTerm> = new Map()
  /** False if a data file with errors may contain any term. */
  isComplete = true
  readonly #kind: TermKind
  readonly #context: TermContext
  readonly #terms: AnyTerm[] = []
  /** By case-folded name, slug and id; the first term with a name is kept. */
  readonly #byFolded = new Map<string, AnyTerm>()
  readonly #mentions = new Map<AnyTerm, Mention[]>()

  constructor(kind: TermKind, context: TermContext) {
    this.#kind = kind
    this.#context = context
  }

  get sorted(): readonly AnyTerm[] {
    return this.#terms.toSorted(compareTerms)
  }

  add(term: AnyTerm): void {
    this.#terms.push(term)
    for (const identifier of [term.id, term.slug]) this.known.set(identifier, term)
    for (const name of [term.name, term.id, term.slug].map(foldCase))
      if (!this.#byFolded.has(name)) this.#byFolded.set(name, term)
  }

  /** Reads a term. Returns nothing if it has errors, which are reported. */
  read(entry: Entry, rules: Kind<TermFields>, claim: Claim): AnyTerm | undefined {
    const { settings, destinations } = this.#context
    const { fields: stated, failed, reading } = readEntry(entry.reading, rules, () => withheldOther)
    if (failed.size > 0) return undefined
    const slug = stated.slug ?? checkSlug(entry.given, reading)
    const id = slug && claim({ reading, slug, id: stated.id })
    const bodyKey = this.#kind === 'authors' ? 'bio' : 'description'
    const text = stated[bodyKey]
    const body = entry.document?.body.trim() ?? ''
    if (text !== undefined && body !== '') {
      const message = `\`${bodyKey}\` is both in the front matter and in the body.`
      reading.report([bodyKey], { code: 'conflicting-fields', message, hint: 'Keep one of them.' })
    }
    const defined = { fields: settings.fieldsOf[this.#kind], isBroken: settings.isBroken }
    const isPlain = defined.fields.length === 0
    const own = isPlain ? undefined : readCustomFields(defined, ownFields(reading), false, {})
    const { name, image = null, role = null } = stated
    const { url, media } = readPicture(image, ['image'], reading, destinations)
    if (!slug || !id) return undefined
    if (media !== undefined) this.pictures.set(id, media)
    const about = body || text || null
    const described = { bio: about, description: about, ...(own && { fields: own }) }
    const socials = socialsOf(stated)
    return { id, slug, name, image: url ?? image, role, socials, ...described }
  }

  /** Makes references to a term with errors valid, so that they are not reported too. @param names its id first */
  addBroken(names: readonly string[]): void {
    const [id] = names
    if (id === undefined) this.isComplete = false
    else
      for (const name of names)
        if (!this.known.has(name)) this.known.set(name, { id, slug: id, name: id, ...noDetails })
  }

  /** Returns the term of a reference, created if the workspace allows it; undefined for an unknown term. */
  refer(given: string | InlineAuthor, place: Place): AnyTerm | undefined {
    const written = parseReference(this.#kind, given)
    const { reading, path } = place
    const { destinations, settings } = this.#context
    const image = written.image ?? null
    const { url, media } = readPicture(image, [...path, 'image'], reading, destinations)
    const found = this.#findByName(written)
    if (found === undefined && !this.isComplete) return undefined
    if (found === undefined && settings.references === 'error')
      return this.#reportUnknown(written.name, place)
    if (found && settings.references === 'create') this.#warnMerged(found, written, place)
    const term = found ?? this.#create(written, place)
    const mention = { ...place, written: { ...written, image: url ?? image }, media }
    if (term !== undefined && !place.isDraft) this.#mentions.get(term)?.push(mention)
    return term
  }

  /** Completes the created terms, after all posts are read. */
  complete(): void {
    for (const [term, mentions] of this.#mentions) {
      // A scheduled post adds nothing to a term that a published post names, because that would reveal it before its time.
      const since = mentions.map((mention) => mention.since).sort()[0]
      const first = mentions.filter((mention) => mention.since === since)
      const shown = since === '' ? first : first.slice(0, 1)
      const spellings = new Map<string, number>()
      // The spelling of a default category counts only if no post writes the category.
      for (const { written, isDefault } of shown) {
        const name = collapseSpaces(written.name)
        spellings.set(name, (spellings.get(name) ?? 0) + (isDefault === true ? 0 : 1))
      }
      const [[name] = [term.name]] = [...spellings].sort(
        ([a, count], [b, other]) => other - count || compareCodePoints(a, b),
      )
      // The first mention of a detail is kept.
      const { media } = shown.find(({ written }) => written.image) ?? {}
      const details = shown.map(({ written: { image, role, bio, ...author } }) => {
        const socials = socialsOf(author)
        return { image, role, bio, socials: socials.length === 0 ? null : socials }
      })
      for (const key of ['image', 'role', 'bio', 'socials'] as const) {
        const detail = details.map((each) => each[key]).find((it) => it != null)
        Object.assign(term, { name, [key]: detail ?? noDetails[key] })
      }
      if (media !== undefined) this.pictures.set(term.id, media)
    }
  }

  /** Finds a term by id, slug or name; also by the slug of the name if references create terms or are slugified. */
  #findByName({ id = '', slug = '', name }: InlineAuthor): AnyTerm | undefined {
    const { settings, mappings } = this.#context
    const find = (text: string) => this.known.get(text)
    const loosely = (text: string) => this.#byFolded.get(foldCase(text))
    const stated = find(id) ?? find(slug) ?? find(name)
    if (stated) return stated
    const derived = slug || slugify(name)
    if (settings.references === 'create') return loosely(name) ?? find(derived) ?? loosely(derived)
    const source = mappings.posts[this.#kind === 'categories' ? 'category' : this.#kind]
    return toSource(source).slugify === true ? find(derived) : undefined
  }

  /** Warns if two names with different signs, such as `C` and `C++`, make one slug. */
  #warnMerged(term: AnyTerm, { name, slug, id }: InlineAuthor, place: Place): void {
    const isExact = slug ?? id ?? (this.#mentions.has(term) ? undefined : this.known.get(name))
    if (place.isDraft || isExact !== undefined || signsOf(name) === signsOf(term.name)) return
    place.reading.report(place.path, {
      code: 'duplicate-identifier',
      severity: 'warning',
      message: `${quote(name)} and ${quote(term.name)} make one ${singular[this.#kind]}, "${term.slug}".`,
      hint: 'Define each in a file with its `name` and its own `slug`.',
    })
  }

  /** Creates a term. A term that only a draft names is not added. */
  #create(written: InlineAuthor, { reading, path, isDraft }: Place): AnyTerm | undefined {
    const slug = written.slug ?? slugify(written.name)
    const problem = identifierProblem(slug)
    if (problem !== null) {
      const message = `${JSON.stringify(written.name)} cannot become the slug of ${withArticle[this.#kind]}: it ${problem}.`
      const hint = `Define the ${singular[this.#kind]} in a file with this \`name\` and a \`slug\`.`
      reading.report(path, { code: 'invalid-identifier', message, hint })
      return undefined
    }
    const id = deriveId(this.#context.workspace, this.#kind, slug)
    const name = collapseSpaces(written.name)
    const fields = this.#context.settings.fieldsOf[this.#kind].map((one) => [one.name, one.default])
    const own = fields.length === 0 ? {} : { fields: Object.fromEntries(fields) }
    const term: AnyTerm = { id, slug, name, ...noDetails, ...own }
    if (isDraft) return term
    this.#mentions.set(term, [])
    this.created.push(id)
    this.add(term)
    return term
  }

  /** Reports an unknown term. An unknown default is reported at its setting. */
  #reportUnknown(name: string, place: Place): undefined {
    const { reading, hasInvalidRules } = this.#context.settings
    if (hasInvalidRules) return
    const at = place.isDefault ? { reading, path: ['defaults', 'category'] } : place
    const slug = slugify(name)
    const file = `Add \`${this.#kind}/${slug}.md\`, or \`references: create\` to workspace.yml.`
    at.reading.report(at.path, {
      code: `unknown-${singular[this.#kind]}`,
      message: `${JSON.stringify(name)} is not ${withArticle[this.#kind]}.`,
      hint: slug === '' ? 'Write its slug.' : file,
      near: () => {
        const slugs = this.#terms.map((term) => term.slug)
        return this.#byFolded.get(foldCase(name))?.slug ?? nearest(name, slugs)
      },
    })
  }
}

function parseReference(kind: TermKind, given: string | InlineAuthor): InlineAuthor {
  if (typeof given !== 'string') return given
  return kind === 'authors' ? parseAuthor(given) : { name: collapseSpaces(given) }
}

/** Returns the signs of a name that its slug does not have, without separators. */
function signsOf(name: string): string {
  return name.normalize('NFKC').replace(/[\p{L}\p{M}\p{Nd}\s\p{Pd}\p{Pc}.,'’:;/()]/gu, '')
}

const withArticle = { categories: 'a category', tags: 'a tag', authors: 'an author' } as const

/** The terms of a workspace. */
export type TermSets = Readonly<Record<TermKind, TermSet>>

/** The references of a post. */
export type ResolvedTerms = Pick<Post, 'category' | 'tags' | 'authors'>

/** The empty terms of an item. */
export const noTerms: ResolvedTerms = {
  category: { id: '', slug: '', name: '', description: null },
  tags: [],
  authors: [],
}

/** Reads every term of a kind. Terms with errors are reported and left out. */
export function readTerms(raw: RawWorkspace, kind: TermKind, context: TermContext): TermSet {
  const files = (['document', 'entry', 'list'] as const).flatMap((role) =>
    raw.files.filter((file) => file.role.kind === role && file.role.of === kind),
  )
  const terms = new TermSet(kind, context)
  const rules = termKind(kind, context.mappings, context.settings)
  const claim = createClaim(raw.id, kind)
  const form = { name: kind, firstKey: 'slug', isNamed: true } as const
  for (const file of files) {
    const entries = readEntries(file, form, context.problems)
    if (entries === undefined)
      terms.addBroken(file.role.kind === 'list' ? [] : [fileStem(file.path)])
    for (const entry of entries ?? []) {
      const term = terms.read(entry, rules, claim)
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
