// Random items, and a simple implementation of what they have and posts do not: orders, references, parents and children.
// Made only from the documented behaviour, without code of `src`. Filters, searches and selections are those of posts:
// `oracle.ts`.
import { pageOf, Refusal } from './oracle.ts'
import { someNoon, type TemporarySite } from './temporary-site.ts'

/** Returns a number from 0 (included) to 1. */
export type Random = () => number

const day = 86_400_000
const folded = (text: string) => text.toLowerCase()

/** An item. References are numbers of items of `docs`. */
interface Item {
  readonly id: string
  readonly slug: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly publishedAt: number | null
  readonly updatedAt: number | null
  readonly expiresAt: number | null
  readonly isDraft: boolean
  readonly fields: {
    readonly rating: number | null
    readonly note: string | null
    readonly next: number | null
    readonly others: readonly number[]
  }
}

/** Two collections with the same fields: `docs` is a tree of Markdown, `rows` is one data file. */
export interface ItemSite {
  readonly docs: readonly Item[]
  readonly rows: readonly Item[]
  /** The setting of `rows`; `docs` has none. */
  readonly orderBy: string | null
}

export interface ItemRequest {
  readonly collection: 'docs' | 'rows'
  /** A slug or an id; null for a list. */
  readonly identifier: string | null
  readonly pairs: ReadonlyMap<string, string>
}

const words = ['Straße', 'needle', 'two words', '日本', 'x', '<b>']
/** Paths of items, in file order. */
const paths =
  'a a/b a/b/c a/b/d a/e f g/h index2 z-1 z-2 z-3 z-4 z-5 z-6 zoo zoo/1.json über/é'.split(' ')

/** Returns a site whose items have all kinds of dates, fields and references. */
export function randomItems(random: Random): ItemSite {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const some = <T>(value: () => T) => (random() < 0.3 ? null : value())
  const moment = () => someNoon + (Math.floor(random() * 9) - 6) * day
  const isDated = random() < 0.4
  const docCount = Math.floor(random() * (paths.length + 1))
  const itemOf = (stem: string, slug: string, number: number): Item => ({
    id: `${stem}${(number * 7) % 19}-${number}`,
    slug,
    // An item without a title has the last part of its path.
    title: number % 5 === 3 ? (slug.split('/').at(-1) ?? '') : `${pick(words)} ${number % 3}`,
    publishedAt: isDated ? moment() : some(moment),
    updatedAt: null,
    expiresAt: random() < 0.2 ? someNoon + Math.ceil(2 + random() * 3) * day : null,
    isDraft: random() < 0.1,
    fields: {
      rating: some(() => Math.floor(random() * 8) / 2 - 1),
      note: some(() => pick(words)),
      next: docCount === 0 ? null : some(() => Math.floor(random() * docCount)),
      others: docCount === 0 || random() < 0.5 ? [] : [Math.floor(random() * docCount)],
    },
  })
  const withUpdate = (item: Item): Item => {
    if (random() < 0.5) return { ...item, updatedAt: item.publishedAt }
    return { ...item, updatedAt: (item.publishedAt ?? someNoon) + day }
  }
  const items = (stem: string, slugs: readonly string[]) =>
    slugs.map((slug, number) => withUpdate(itemOf(stem, slug, number)))
  const rowSlugs = Array.from({ length: Math.floor(random() * 40) }, (_, at) => `row-${at}`)
  return {
    docs: items('d', paths.slice(0, docCount)),
    rows: items('r', rowSlugs),
    orderBy: pick([null, 'title', 'updatedAt', 'publishedAt', 'rating']),
  }
}

const text = (time: number | null) => (time === null ? null : new Date(time).toISOString())

export function writeItems(site: TemporarySite, { docs, rows, orderBy }: ItemSite): void {
  const fields = {
    rating: { type: 'number', index: true },
    note: { type: 'text', index: true },
    next: { type: 'reference', to: 'docs', index: true },
    others: { type: 'references', to: 'docs' },
  }
  const order = orderBy === null ? {} : { orderBy }
  const collections = {
    docs: { folder: 'docs', fields },
    rows: { file: 'rows.json', fields, ...order },
  }
  site.write('content/acme/workspace.yml', JSON.stringify({ collections }))
  const keysOf = ({ id, slug, title, isDraft, fields: own, ...item }: Item) =>
    Object.fromEntries(
      Object.entries({
        ...{ id, ...(isDraft ? { status: 'draft' } : {}), ...own },
        title: slug.endsWith(title) ? null : title,
        next: own.next === null ? null : docs[own.next]?.slug,
        others: own.others.map((at) => docs[at]?.id),
        publishedAt: text(item.publishedAt),
        updatedAt: item.updatedAt === item.publishedAt ? null : text(item.updatedAt),
        expiresAt: text(item.expiresAt),
      }).filter(([, value]) => value !== null),
    )
  for (const item of docs)
    site.write(
      `content/acme/docs/${item.slug}.md`,
      `---\n${JSON.stringify(keysOf(item))}\n---\nOf ${item.id}.\n`,
    )
  const list = rows.map((item) => ({ ...keysOf(item), slug: item.slug }))
  site.write('content/acme/rows.json', JSON.stringify(list))
}

/** Returns a valid request. */
export function randomRequest({ docs, rows }: ItemSite, random: Random): ItemRequest {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const collection = pick(['docs', 'rows'] as const)
  const items = collection === 'docs' ? docs : rows
  const namesOf = (all: readonly Item[]) => ['nobody', ...all.flatMap(({ id, slug }) => [id, slug])]
  const choices: Readonly<Record<string, readonly string[]>> = {
    limit: ['1', '2', '5', 'all'],
    page: ['1', '2', '3'],
    order: ['asc', 'desc'],
    orderBy: ['title', 'publishedAt', 'updatedAt', 'fields.rating', 'fields.note'],
    'fields.next': namesOf(docs),
  }
  const ofSingle = { include: ['next', 'parent', 'children,parent', 'others,next'] }
  const isList = random() < 0.75
  const select = ['title', 'slug,fields']
  const own = Object.entries({ ...(isList ? choices : ofSingle), select })
  const pairs = new Map<string, string>()
  for (let count = Math.floor(random() * 5); count > 0; count--) {
    const [name, values] = pick(own)
    pairs.set(name, pick(values))
  }
  return { collection, identifier: isList ? null : pick(namesOf(items)), pairs }
}

export function targetOfItems({ collection, identifier, pairs }: ItemRequest): string {
  const path =
    identifier === null ? '' : `/${identifier.split('/').map(encodeURIComponent).join('/')}`
  const query = [...pairs].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `/v1/acme/collections/${collection}${path}${query && `?${query}`}`
}

/** Returns the status and the body; null for the body of an error. @param now milliseconds since 1970 */
export function expectedItems(
  site: ItemSite,
  request: ItemRequest,
  now: number,
): { readonly status: number; readonly body: unknown } {
  const visible = site[request.collection].filter((item) => isOpen(item, now))
  const view = { site, request, now, visible }
  try {
    const body = request.identifier === null ? listOf(view) : singleOf(view, request.identifier)
    return { status: 200, body }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: null }
  }
}

/** The items that are visible to one request. */
interface View {
  readonly site: ItemSite
  readonly request: ItemRequest
  readonly now: number
  readonly visible: readonly Item[]
}

function listOf(view: View): object {
  const wanted = view.visible.filter((item) => isWanted(view, item))
  const { items, pagination } = pageOf(sorted(view, wanted), Object.fromEntries(view.request.pairs))
  return { items: items.map((item) => shown(view, item, [])), pagination }
}

function singleOf(view: View, identifier: string): object {
  const { visible, request } = view
  const included = (request.pairs.get('include') ?? '').split(',')
  const item = visible.find(({ id, slug }) => id === identifier || slug === identifier)
  if (item === undefined) throw new Refusal(404)
  const isTree = request.collection === 'docs'
  const isParent = (one: Item, of: Item) =>
    isTree && one.slug === of.slug.split('/').slice(0, -1).join('/')
  const parent = visible.find((one) => isParent(one, item))
  const children = visible.filter((one) => isParent(item, one))
  return {
    item: shown(view, item, included),
    ...(included.includes('parent') ? { parent: parent ? summaryOf(parent) : null } : {}),
    ...(included.includes('children') ? { children: sorted(view, children).map(summaryOf) } : {}),
  }
}

function shown(view: View, item: Item, included: readonly string[]): object {
  const select = view.request.pairs.get('select')?.split(',')
  const all = Object.entries(whole(view, item, included))
  return Object.fromEntries(all.filter(([key]) => key === 'id' || (select?.includes(key) ?? true)))
}

/** @param included names of references that are whole items, not summaries */
function whole(view: View, item: Item, included: readonly string[]): object {
  const own = item.fields
  const targetsOf = (name: string, numbers: readonly number[]) =>
    numbers
      .flatMap((at) => targetOf(view, at))
      .map((one) => (included.includes(name) ? whole(view, one, []) : summaryOf(one)))
  return {
    ...summaryOf(item),
    ...(view.site.docs.includes(item) ? { content: `<p>Of ${item.id}.</p>\n` } : {}),
    ...{ publishedAt: text(item.publishedAt), updatedAt: text(item.updatedAt) },
    fields: {
      ...own,
      next: targetsOf('next', own.next === null ? [] : [own.next])[0] ?? null,
      others: targetsOf('others', own.others),
    },
  }
}

/** Returns the target of a reference, if it is visible. */
function targetOf({ site, now }: View, at: number | null): readonly Item[] {
  const found = at === null ? undefined : site.docs[at]
  return found && isOpen(found, now) ? [found] : []
}

/** Sorts items. Ties are sorted by id in the same direction. Items without a value are last. */
function sorted({ site, request }: View, items: readonly Item[]): readonly Item[] {
  const { pairs, collection } = request
  const isDated = site[collection].every((item) => item.isDraft || item.publishedAt)
  const own = collection === 'rows' ? site.orderBy : null
  const by = pairs.get('orderBy') ?? own ?? (isDated ? 'publishedAt' : 'file')
  const usual = by === 'publishedAt' || by === 'updatedAt' ? 'desc' : 'asc'
  const direction = (pairs.get('order') ?? usual) === 'asc' ? 1 : -1
  if (by === 'file') return direction === 1 ? items : items.toReversed()
  const name = by.replace('fields.', '')
  const key = (item: Item) => {
    const value = name in item ? item[name as 'title'] : item.fields[name as 'note']
    return typeof value === 'string' ? folded(value) : value
  }
  return items.toSorted((a, b) => {
    const isMissing = Number(key(a) === null) - Number(key(b) === null)
    return isMissing || direction * (compare(key(a), key(b)) || compare(a.id, b.id))
  })
}

/** Reports whether an item refers to a visible item with the given name, if one is given. */
function isWanted(view: View, { fields }: Item): boolean {
  const given = view.request.pairs.get('fields.next')
  if (given === undefined) return true
  return targetOf(view, fields.next).some(({ id, slug }) => [id, slug].includes(given))
}

const summaryOf = ({ id, slug, title }: Item) => ({ id, slug, title })

const isOpen = (item: Item, now: number) =>
  !item.isDraft && (item.publishedAt ?? 0) <= now && now < (item.expiresAt ?? Infinity)

function compare<T>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b)
}
