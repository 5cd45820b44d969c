// Random workspaces, requests and times, in which difficult cases are more frequent than by chance.
import type { IndexedField } from '../../src/api/parameter-values.ts'
import type { Author, CustomFields, Term, TermKind } from '../../src/api/resources.ts'
import fc, { type Arbitrary } from './fast-check.ts'
import type { SampleRequest } from './oracle.ts'
import type { SamplePost, SampleWorkspace } from './sample-workspace.ts'

/** Words of many scripts, and words that JSON, HTML or folding must change. */
export const words: readonly string[] = [
  ...'plain words Straße ÉTÉ e\u0301te\u0301 ΟΔΟΣ ὁδός İstanbul ılık ﬁn Ⅷ 日本語 ガス ｶﾞｽ 한국어'.split(
    ' ',
  ),
  ...'ㅋㅋㅠㅠ हिन्दी שָׁלוֹם مُحَمَّد 👩‍💻 "quoted" back\\slash <b>&amp;</b> line\nbreak'.split(' '),
  ...['\u2028', '\u3000', '\u0001'],
]

/** Slugs that are difficult as file names. No two of them differ only in case. */
export const nastySlugs: readonly string[] =
  'index a a.json a.json.json ſ 1 1.json index.json posts v1 über 日本語 हिन्दी ٣ a.b_c-d \u{20000}'.split(
    ' ',
  )

const firstDay = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000
const days = 8

/** Times before, at, near and after the publication of posts of `workspaces`. */
export const moments: Arbitrary<number> = fc
  .record({
    day: fc.oneof(fc.integer({ min: -1, max: days }), fc.integer({ min: days - 3, max: days })),
    beside: fc.constantFrom(0, 0, -1, 1),
  })
  .map(({ day, beside }) => firstDay + day * dayMs + beside)

/** Workspaces of up to 60 posts, many with equal dates, and up to five terms of each kind. */
export const workspaces: Arbitrary<SampleWorkspace> = fc
  .record({
    categories: terms('c', 1),
    tags: terms('t', 0),
    authors: terms('a', 0),
    seeds: fc.oneof(postSeeds(3), postSeeds(25), postSeeds(60)),
    areCreated: fc.boolean(),
    hasFields: fc.boolean(),
  })
  .map(({ seeds, categories, tags, authors, areCreated, hasFields }) => {
    const kinds = { categories, tags, authors: authors.map(authorOf) }
    const posts = seeds.map((seed, number) => {
      const sample = postOf(seed, number, kinds)
      return hasFields ? { ...sample, post: { ...sample.post, fields: fieldsOf(seed) } } : sample
    })
    const named = posts.flatMap(({ post }) => [post.category, ...post.tags, ...post.authors])
    const created = new Set(areCreated ? named.map(({ id }) => id) : [])
    return { ...kinds, posts, created, ...(hasFields ? { indexed: indexedFields } : {}) }
  })

const fieldTexts = ['Straße', 'straße', ' a', 'a', '', '\u{1d49c}', '\uff21', '0']

const indexedFields: readonly IndexedField[] = [
  { name: 'rating', type: 'number' },
  { name: 'day', type: 'date' },
  { name: 'is-new', type: 'boolean' },
  { name: 'level', type: 'select', options: fieldTexts },
  { name: 'parts', type: 'list' },
  { name: 'note', type: 'text' },
]

/** Returns the fields of a post. Many posts have equal values, and some have none. */
function fieldsOf([day, stem, nastiness, category, tags]: PostSeed): CustomFields {
  const text = (at: number) => fieldTexts[at % fieldTexts.length] ?? null
  return {
    rating: stem === 0 ? null : (day - 3) / 2,
    day: nastiness === 0 ? null : new Date(firstDay + day * dayMs).toISOString(),
    'is-new': nastiness === 1 ? null : stem > 1,
    level: stem === 2 ? null : text(category),
    parts: tags.map((tag) => String(text(tag))),
    note: text(category + day),
    hidden: 1,
  }
}

/** Returns requests of a workspace, with every operation and parameter. */
export function requests(workspace: SampleWorkspace): Arbitrary<SampleRequest> {
  const resource = fc.constantFrom(
    'posts',
    'posts',
    'posts',
    'posts',
    'categories',
    'tags',
    'authors',
  )
  return fc
    .record({
      version: fc.constantFrom('v1', 'v2'),
      resource,
      isList: fc.constantFrom(true, true, false),
      pick: fc.nat(),
    })
    .chain(({ version, resource, isList, pick }) => {
      const identifier = isList ? null : pickFrom(identifiersOf(workspace, resource), pick)
      const operation = resource !== 'posts' ? 'terms' : isList ? 'posts' : 'post'
      const pairs = pairsOf(workspace, operation)
      return pairs.map((pairs) => ({ version, resource, identifier, pairs }))
    }) as Arbitrary<SampleRequest>
}

/**
 * Returns a request as a raw target.
 *
 * @param style from 0; selects one of several spellings of a query
 */
export function targetOf(
  { version, resource, identifier, pairs }: SampleRequest,
  style = 0,
): string {
  const base = version === 'v1' ? `/v1/acme/${resource}` : `/v2/${resource}`
  const path = identifier === null ? base : `${base}/${encodeURIComponent(identifier)}`
  const written = pairs.map(([name, value]) => `${name}=${encode(value, style)}`)
  return written.length === 0 ? path : `${path}?${written.join('&')}`
}

type PostSeed = readonly [
  day: number,
  idStem: number,
  nastiness: number,
  category: number,
  tags: readonly number[],
  authors: readonly number[],
  isFeatured: boolean,
  hasNulls: boolean,
  title: readonly string[],
  text: readonly string[],
]

function postSeeds(maxLength: number): Arbitrary<readonly PostSeed[]> {
  const few = fc.array(fc.nat({ max: 4 }), { maxLength: 2, size: 'max' })
  const seed = fc.tuple(
    fc.nat({ max: days - 1 }),
    fc.nat({ max: 3 }),
    fc.nat({ max: 3 }),
    fc.nat({ max: 4 }),
    few,
    few,
    fc.boolean(),
    fc.boolean(),
    fc.array(fc.constantFrom(...words), { maxLength: 2, size: 'max' }),
    fc.array(fc.constantFrom(...words), { maxLength: 4, size: 'max' }),
  )
  return fc.array(seed, { maxLength, size: 'max' })
}

function postOf(
  seed: PostSeed,
  number: number,
  kinds: Pick<SampleWorkspace, 'categories' | 'tags' | 'authors'>,
): SamplePost {
  const [day, idStem, nastiness, category, tags, authors, featured, hasNulls, ...texts] = seed
  const [title, text] = texts.map((parts) => parts.join(' ')) as [string, string]
  const slug = nastiness === 0 ? nastySlugs[number] : undefined
  const date = new Date(firstDay + day * dayMs)
  return {
    post: {
      id: `${'zéaA'[idStem]}.${number}`,
      slug: slug ?? `post-${number}`,
      title,
      featured,
      coverImage: hasNulls ? null : `https://example.org/${number}.png?a="b"`,
      description: text.slice(0, 10),
      publishedAt: date.toISOString(),
      // Many dates are equal, and their order differs from that of publication.
      updatedAt: new Date(date.getTime() + (number % 3) * 2 * dayMs).toISOString(),
      attribution: hasNulls ? null : title,
      authors: pickAll(kinds.authors, authors),
      category: pickFrom(kinds.categories, category),
      tags: pickAll(kinds.tags, tags),
    },
    html: `<p>${text.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;')}</p>\n`,
    markdown: `# ${text}\r\n`,
    text,
    ...(number % 4 === 3 ? { expiresAt: date.getTime() + ((number % 3) + 1) * dayMs } : {}),
  }
}

function terms(idStem: string, minLength: number): Arbitrary<readonly Term[]> {
  // Some names differ only in case, so that ids decide their order.
  const name = fc.constantFrom('News', 'news', 'Äther', 'zoo', '日本', '\u{1d49c}', '\uff21', '"')
  const seed = fc.tuple(name, fc.boolean(), fc.boolean())
  return fc.array(seed, { minLength, maxLength: 5, size: 'max' }).map((seeds) =>
    seeds.map(([name, isNasty, hasDescription], number) => ({
      id: `${idStem}${9 - number}`,
      slug: (isNasty ? nastySlugs[number] : undefined) ?? `term-${number}`,
      name,
      description: hasDescription ? `About ${name}.` : null,
    })),
  )
}

function authorOf({ id, slug, name, description }: Term): Author {
  const socials = description === null ? [] : [{ url: 'https://example.org/', platform: name }]
  return { id, slug, name, image: description, bio: description, role: description, socials }
}

/** Returns every slug and id of a kind, and some unknown ones. */
function identifiersOf(
  workspace: SampleWorkspace,
  resource: TermKind | 'posts',
): readonly string[] {
  const resources =
    resource === 'posts' ? workspace.posts.map(({ post }) => post) : workspace[resource]
  const known = resources.flatMap(({ slug, id }) => [slug, id])
  return [...known, ...known, 'nobody', 'post-', '../index', 'a/b', '\0']
}

type Pair = readonly [name: string, value: string]

/** Returns any number of parameters; half of the time with a page that probably exists. */
function pairsOf(
  workspace: SampleWorkspace,
  operation: 'posts' | 'post' | 'terms',
): Arbitrary<readonly Pair[]> {
  const small = fc.constantFrom('1', '2', '3')
  const paging = fc.tuple(small, small).map(([limit, page]): readonly Pair[] => [
    ['limit', limit],
    ['page', page],
  ])
  const values = {
    ...commonValues,
    ...(operation === 'terms' ? {} : postValues),
    ...(operation === 'posts' ? listValues(workspace) : {}),
    include: oneOf(includes[operation]),
  }
  const kinds = Object.entries(values).map(([name, value]) => fc.tuple(fc.constant(name), value))
  const others = fc.array(fc.oneof(...kinds), { maxLength: 6, size: 'max' })
  const word = fc.constantFrom(...words)
  const searching = fc
    .tuple(word, word, oneOf('words|phrase'))
    .map(([one, two, match]): readonly Pair[] => [
      ['query', `${one} ${two}`],
      ['match', match],
    ])
  const { tags, tagsMatch } = listValues(workspace)
  const matching = fc.tuple(tags, tagsMatch).map(([list, match]): readonly Pair[] => [
    ['tags', list],
    ['tagsMatch', match],
  ])
  const none = fc.constant<readonly Pair[]>([])
  const combined = fc.tuple(fc.oneof(paging, none), others).map((pairs) => pairs.flat())
  const all = operation === 'posts' ? fc.oneof(combined, combined, searching, matching) : combined
  return all.map((pairs) => acceptable(pairs, operation))
}

/** Keeps each name once, and removes combinations that are rejected. */
function acceptable(pairs: readonly Pair[], operation: string): readonly Pair[] {
  const given = new Map<string, string>(pairs.toReversed())
  const isWithMatches = given.get('include')?.includes('matches')
  if (given.get('limit') === 'all' && (operation !== 'posts' || isWithMatches))
    given.delete('limit')
  if ((given.get('query') ?? '').trim().split(/\s+/u).length > 16) given.delete('match')
  return [...given]
}

/** Returns one of the values, which are separated by `|`, or an empty one. */
function oneOf(values: string): Arbitrary<string> {
  return fc.constantFrom(...values.split('|'), '')
}

const includes = {
  posts: 'posts|facets|matches|facets,matches',
  post: 'neighbours|related|neighbours,related,posts',
  terms: 'posts|posts|posts,posts|,',
}

const commonValues = {
  limit: oneOf('1|2|7|10|010|100|all'),
  page: oneOf('1|2|3|02|99'),
  // These parameters are unknown, because names are case-sensitive.
  ...{ utm_source: oneOf('a'), _: oneOf('1'), Limit: oneOf('0'), 'page[]': oneOf('0') },
}

const postValues = {
  format: oneOf('html|markdown'),
  select: oneOf('title|tags,id|content,slug|fields|,|category,title,title'),
}

function listValues({ posts, categories, tags, authors, indexed }: SampleWorkspace) {
  const slugs = (terms: readonly Pick<Term, 'slug'>[]) => {
    const slug = fc.constantFrom('nothing', '', ' ', ...terms.map(({ slug }) => slug))
    return fc.array(slug, { maxLength: 3 }).map((items) => items.join(','))
  }
  const names = (nameOf: (post: SamplePost['post']) => string) => {
    const all = posts.flatMap(({ post }) => [nameOf(post), nameOf(post), post.id, post.slug])
    return fc
      .array(fc.constantFrom('nothing', ...all), { maxLength: 6 })
      .map((all) => all.join(','))
  }
  const times = fc.integer({ min: -1, max: days + 5 }).map((day) => {
    const text = new Date(firstDay + day * dayMs).toISOString()
    return day % 2 === 0 ? text : text.slice(0, 10)
  })
  const text = fc.constantFrom(...fieldTexts, 'none')
  const bounds = oneOf('0|0.5|-2|9')
  const ofFields = {
    orderBy: oneOf('updatedAt|title|fields.rating|fields.day|fields.level|fields.note'),
    ...{ 'fields.rating': oneOf('0|1.5|-1'), 'fields.rating[in]': oneOf('0,1|1.5|,|7') },
    ...{ 'fields.rating[gte]': bounds, 'fields.rating[lte]': bounds },
    ...{ 'fields.day': times, 'fields.day[ne]': times },
    ...{ 'fields.day[gte]': times, 'fields.day[lte]': times },
    ...{ 'fields.is-new': oneOf('true|false'), 'fields.level': text, 'fields.level[ne]': text },
    ...{ 'fields.parts': text, 'fields.parts[ne]': text },
    'fields.level[in]': oneOf('Straße,0|\u{1d49c}|a, a|a,none'),
    'fields.note[in]': oneOf('straße,\uff21|nothing'),
  }
  return {
    ...{ order: oneOf('asc|desc'), orderBy: oneOf('publishedAt|updatedAt|title') },
    ...{ categories: slugs(categories), excludeCategories: slugs(categories) },
    ...{ tags: slugs(tags), excludeTags: slugs(tags), tagsMatch: oneOf('all|any') },
    ...{ authors: slugs(authors), excludeAuthors: slugs(authors), authorsMatch: oneOf('all|any') },
    ...{ publishedAfter: times, publishedBefore: times, updatedAfter: times, updatedBefore: times },
    ...{ slugs: names(({ slug }) => slug), ids: names(({ id }) => id) },
    ...{ query: searchTexts(posts), match: oneOf('words|words|phrase') },
    ...{ excludeContent: oneOf('true|false'), featured: oneOf('true|false') },
    ...(indexed === undefined ? {} : ofFields),
  }
}

/** Returns texts from the posts, in another case or form, and some that no post contains. */
function searchTexts(posts: readonly SamplePost[]): Arbitrary<string> {
  const texts = ['nowhere', ' ', ...posts.flatMap(({ post, text }) => [post.title, text])]
  return fc
    .record({
      text: fc.constantFrom(...texts),
      start: fc.nat({ max: 12 }),
      length: fc.integer({ min: 1, max: 8 }),
      change: fc.constantFrom(
        (cut: string) => cut,
        (cut: string) => cut.toUpperCase(),
        (cut: string) => cut.normalize('NFD'),
        (cut: string) => `  ${cut}\t`,
        (cut: string) => cut.repeat(20),
        (cut: string) => cut.split(' ').reverse().join(' '),
      ),
    })
    .map(({ text, start, length, change }) =>
      change([...text].slice(start, start + length).join('')),
    )
}

function encode(value: string, style: number): string {
  const encoded = encodeURIComponent(value)
  if (style % 3 === 1) return encoded.replaceAll('%20', '+').replaceAll('%2C', ',')
  if (style % 3 === 2) return encoded.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())
  return encoded
}

function pickFrom<T>(items: readonly T[], pick: number): T {
  const item = items[pick % items.length]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

/** Returns distinct items. */
function pickAll<T>(items: readonly T[], picks: readonly number[]): readonly T[] {
  return items.length === 0 ? [] : [...new Set(picks.map((pick) => pickFrom(items, pick)))]
}
