// Previews of responses: the entries of a list with the matches in them, and the HTML of a post in a frame without
// scripts, under the policy of the page.
import { counted, element } from './element.ts'
import { themeEvent } from './theme.ts'

/** A post, an item, a category, a tag or an author in a response. */
interface Entry {
  readonly slug: string
  readonly title?: string
  readonly name?: string
  readonly content?: string
  readonly description?: string | null
  readonly bio?: string | null
  readonly publishedAt?: string | null
  readonly category?: { readonly name: string }
  readonly tags?: readonly { readonly name: string }[]
  readonly count?: { readonly posts: number }
  readonly coverImage?: string | null
  readonly image?: string | null
  readonly status?: string
  readonly matches?: readonly Passage[]
}

/** A passage of a post that contains the text of a search, from `include=matches`. */
interface Passage {
  readonly field: string
  readonly text: string
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

/** The request of a previewed response. */
export interface PreviewContext {
  /** The text of the search; empty for none. */
  readonly query: string
  /** The page's own address of an entry; null if its operation has none. */
  readonly addressOf: (slug: string) => string | null
}

/** Returns a view of a parsed list or post; null for other responses. Cost: O(size of the response). */
export function preview(json: unknown, context: PreviewContext): HTMLElement | null {
  if (typeof json !== 'object' || json === null) return null
  const values = Object.values(json)
  const list = values.find((value) => Array.isArray(value) && value.every(isEntry))
  if (list !== undefined && 'pagination' in json)
    return entryList(list as readonly Entry[], context)
  const post = values.find((value) => isEntry(value) && typeof value.content === 'string')
  return post === undefined ? null : documentFrame(post as Entry)
}

function isEntry(value: unknown): value is Entry {
  const { slug, title, name } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof slug === 'string' && typeof (title ?? name) === 'string'
}

function entryList(entries: readonly Entry[], { query, addressOf }: PreviewContext): HTMLElement {
  if (entries.length === 0)
    return element('p', { class: 'empty' }, 'Nothing matches: remove a filter, or search for less.')
  const word = query.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  // regex: the text of a query, escaped
  const pattern = word === '' ? null : new RegExp(word, 'giu')
  return element(
    'ol',
    { class: 'entries' },
    entries.map((entry) => {
      const { slug, title, name = '', publishedAt, category, tags = [], count, status } = entry
      const href = addressOf(slug)
      const heading = marked(title ?? name, pattern)
      const image = entry.coverImage ?? entry.image ?? ''
      const facts = [
        publishedAt?.slice(0, 10),
        category?.name,
        ...tags.map((tag) => tag.name),
        count && counted(count.posts, 'post'),
        status === 'draft' && status,
      ].filter((fact) => typeof fact === 'string')
      return element(
        'li',
        {},
        image.startsWith('/') ? element('img', { src: image, alt: '', loading: 'lazy' }) : null,
        href === null ? element('strong', {}, heading) : element('a', { href }, heading),
        element('p', {}, passages(entry, pattern)),
        element('p', { class: 'facts dim' }, facts.join(' · ')),
      )
    }),
  )
}

/** Returns the passages of a search, or else the beginning of an entry. */
function passages(entry: Entry, pattern: RegExp | null): readonly (string | HTMLElement)[] {
  const { matches = [], description, bio, content = '' } = entry
  const found = matches.filter(({ field }) => field !== 'title')
  if (found.length > 0) {
    return found.flatMap(({ text, ranges }) => {
      let end = 0
      const parts = ranges.flatMap(([from, to]) => {
        const before = text.slice(end, from)
        end = to
        return [before, element('mark', {}, text.slice(from, to))]
      })
      return ['… ', ...parts, `${text.slice(end)} … `]
    })
  }
  const text = content === '' ? '' : (parsed(content).body.textContent ?? '')
  const at = pattern === null ? -1 : text.search(pattern)
  if (at >= 0) {
    const near = text.slice(Math.max(0, at - 80), at + 160).replace(/^\S*\s|\s\S*$/g, '')
    return ['… ', ...marked(near, pattern), ' …']
  }
  return marked(description ?? bio ?? `${text.slice(0, 160)}${text === '' ? '' : ' …'}`, pattern)
}

/** Returns a text with marked matches. */
function marked(text: string, pattern: RegExp | null): readonly (string | HTMLElement)[] {
  if (pattern === null) return [text]
  const parts: (string | HTMLElement)[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(pattern)) {
    parts.push(text.slice(end, index), element('mark', {}, word))
    end = index + word.length
  }
  return [...parts, text.slice(end)]
}

function documentFrame(post: Entry): HTMLElement {
  const frame = element('iframe', {
    class: 'preview',
    title: 'Preview of the post',
    // The frame has no scripts, no forms and no access to the origin. A link opens a new tab.
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
  })
  const show = () => {
    frame.srcdoc = trusted(documentOf(post)) as string
  }
  frame.addEventListener(themeEvent, show)
  show()
  return frame
}

/** Returns the HTML of the frame. Its style is an element of the page, so the page's policy contains its hash. */
function documentOf({ title = '', content = '' }: Entry): string {
  const style = document.getElementById('preview-style')?.textContent ?? ''
  const { body } = parsed(content)
  for (const link of body.querySelectorAll('a')) {
    // In a frame without a URL, a link to a heading would leave the frame.
    if (link.getAttribute('href')?.startsWith('#')) link.removeAttribute('href')
    else link.target = '_blank'
  }
  const heading = element('h1', {}, title).outerHTML
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark">`
  const theme = document.documentElement.dataset['theme'] ?? ''
  return `<!doctype html><html data-theme="${theme}">${head}<style>${style}</style><body>${heading}${body.innerHTML}`
}

function parsed(html: string): Document {
  return new DOMParser().parseFromString(trusted(html) as string, 'text/html')
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createHTML: (html: string) => string },
  ): { createHTML(html: string): unknown }
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('quarry-preview', { createHTML: (html) => html })

/** Returns trusted HTML for the frame and for an inert document, the only uses of the policy. */
function trusted(html: string): unknown {
  return policy?.createHTML(html) ?? html
}
