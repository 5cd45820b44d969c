// Posts as a reader sees them: their HTML in a frame without scripts, under the policy of the page.
import { element } from './element.ts'
import type { TabChoice } from './tabs.ts'
import { themeEvent } from './theme.ts'

/** A post with its rendered content. */
export interface PreviewedPost {
  readonly title: string
  /** HTML. */
  readonly content: string
}

/** Every post with content in a parsed response, in its order; cost: O(size of the response). */
export function previewedPosts(json: unknown): readonly PreviewedPost[] {
  if (typeof json !== 'object' || json === null) return []
  return isPost(json) ? [json] : Object.values(json).flatMap(previewedPosts)
}

/** One post, and a menu of them all if there are several. The chosen one stays, else it is the first. */
export function preview(posts: readonly PreviewedPost[], choice: TabChoice): HTMLElement {
  const frame = element('iframe', {
    class: 'preview',
    title: 'Preview of the post',
    // Scripts, forms and the page's own origin stay out; a link opens a new tab.
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
  })
  const menu = element(
    'select',
    { 'aria-label': 'Post of the preview' },
    posts.map(({ title }, at) => element('option', { value: at }, title)),
  )
  const show = () => {
    const post = posts[Number(menu.value)]
    // The type of the property does not know the policy's values.
    if (post !== undefined) frame.srcdoc = trusted(documentOf(post)) as string
  }
  menu.addEventListener('change', () => {
    choice.label = posts[Number(menu.value)]?.title ?? ''
    show()
  })
  frame.addEventListener(themeEvent, show)
  const chosen = posts.findIndex(({ title }) => title === choice.label)
  menu.value = String(Math.max(chosen, 0))
  show()
  return element('div', {}, posts.length > 1 ? menu : null, frame)
}

function isPost(value: object): value is PreviewedPost {
  const { title, content } = value as Partial<Record<string, unknown>>
  return typeof title === 'string' && typeof content === 'string'
}

/** The style is an element of the page, so that the page's policy names its hash. */
function documentOf({ title, content }: PreviewedPost): string {
  const style = document.getElementById('preview-style')?.textContent ?? ''
  const parsed = new DOMParser().parseFromString(trusted(content) as string, 'text/html')
  for (const link of parsed.querySelectorAll('a')) {
    // In a frame without an address, a link to one of its headings would leave it.
    if (link.getAttribute('href')?.startsWith('#')) link.removeAttribute('href')
    else link.target = '_blank'
  }
  const heading = element('h1', {}, title).outerHTML
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark">`
  const theme = document.documentElement.dataset['theme'] ?? ''
  return `<!doctype html><html data-theme="${theme}">${head}<style>${style}</style><body>${heading}${parsed.body.innerHTML}`
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createHTML: (html: string) => string },
  ): { createHTML(html: string): unknown }
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('quarry-preview', { createHTML: (html) => html })

/** HTML for the frame and for an inert document; the only use of the policy. */
function trusted(html: string): unknown {
  return policy?.createHTML(html) ?? html
}
