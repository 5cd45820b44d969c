// The view of a response: status, source, duration, body and headers.

import { codeView } from './code-view.ts'
import { button, copyButton, counted, element, textWithCode } from './element.ts'
import { jsonTree } from './json-tree.ts'
import { type PreviewContext, preview } from './preview.ts'
import type { ApiResponse } from './send.ts'
import type { Snippet } from './snippets.ts'
import { type TabChoice, tabs } from './tabs.ts'
import { whyView } from './why-view.ts'

/** The pagination of a list. */
interface Pagination {
  readonly currentPage: number
  readonly nextPage: number | null
  readonly previousPage: number | null
  readonly totalPages: number
  readonly totalItems: number
}

const sources: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  file: ['from a file', 'A file that the build wrote'],
  index: ['from the index', 'Made from the index for this request'],
  cache: ['from memory', 'Kept from an earlier request'],
}

/** The request of a response, and the state of its view. */
export interface ResponseContext extends PreviewContext {
  /** True if the content of posts is HTML. */
  readonly isHtml: boolean
  readonly choice: TabChoice
  readonly snippets: readonly Snippet[]
  readonly snippetChoice: TabChoice
  /** Requests an explanation; null if the server has none. */
  readonly explain: (() => Promise<ApiResponse>) | null
  /** Requests another page of the same list. */
  readonly goTo: (page: number) => void
}

/** Returns the elements of a response. */
export function responseView(
  response: ApiResponse,
  { isHtml, choice, explain, goTo, ...context }: ResponseContext,
): readonly HTMLElement[] {
  const view = isHtml && response.status === 200 ? preview(response.json, context) : null
  const pagination = paginationOf(response.json)
  const { message } = (response.json ?? {}) as { readonly message?: unknown }
  const isError = response.status >= 400 && typeof message === 'string'
  return [
    summary(response),
    ...(isError ? [element('p', { class: 'refusal' }, textWithCode(message))] : []),
    ...(pagination === null || pagination.totalPages < 2 ? [] : [pages(pagination, goTo)]),
    tabs(
      'Response',
      [
        ...(view === null ? [] : [{ label: 'Preview', content: () => view }]),
        { label: 'Body', content: () => bodyOf(response) },
        { label: 'Code', content: () => codeView(context.snippets, context.snippetChoice) },
        ...(explain === null
          ? []
          : [{ label: 'Why', content: () => whyView(explain(), response.source) }]),
        { label: 'Headers', content: () => headersOf(response) },
      ],
      choice,
    ),
  ]
}

/** Returns a one-line summary of a response for screen readers. */
export function spokenSummary({ status, milliseconds, bytes }: ApiResponse): string {
  return `Status ${status}, ${Math.round(milliseconds)} milliseconds, ${formatBytes(bytes)}.`
}

/** Returns a summary such as `12 posts in 3.4 ms`; empty for a response without pages. */
export function foundSummary({ json, milliseconds }: ApiResponse): string {
  const items = paginationOf(json)?.totalItems
  if (items === undefined) return ''
  return `${counted(items, 'post')} in ${duration(milliseconds)}`
}

/** Formats a duration: `3.4 ms`, `72 ms`. */
export function duration(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`
}

function summary(response: ApiResponse): HTMLElement {
  const { status, statusText, bytes, milliseconds, source } = response
  const [label, meaning] = sources[source] ?? []
  return element(
    'div',
    { class: 'summary' },
    element(
      'strong',
      { class: `status ${status < 400 ? 'good' : 'bad'}` },
      `${status} ${statusText}`.trim(),
    ),
    element('span', { title: 'Until the last byte' }, duration(milliseconds)),
    element('span', { title: `${bytes.toLocaleString('en')} bytes` }, formatBytes(bytes)),
    label === undefined
      ? null
      : element('span', { class: 'source', title: meaning ?? null }, label),
  )
}

function pages(pagination: Pagination, goTo: (page: number) => void): HTMLElement {
  const { currentPage, totalPages, totalItems, previousPage, nextPage } = pagination
  const way = (label: string, page: number | null) =>
    button(label, () => page !== null && goTo(page), {
      class: 'quiet',
      'aria-label': `${label} page`,
      disabled: page === null,
    })
  return element(
    'nav',
    { class: 'pages', 'aria-label': 'Pages' },
    element('span', {}, `Page ${currentPage} of ${totalPages.toLocaleString('en')}`),
    element('span', { class: 'dim' }, `${totalItems.toLocaleString('en')} items`),
    way('Previous', previousPage),
    way('Next', nextPage),
  )
}

function bodyOf({ text, json }: ApiResponse): HTMLElement {
  if (text === '') return element('p', { class: 'dim' }, 'No body.')
  // Text that is not JSON did not come from this service, but for example from a proxy.
  if (json === undefined) return element('pre', { class: 'plain' }, text.slice(0, 20_000))
  const copy = copyButton('Copy', () => JSON.stringify(json, null, 2), { class: 'quiet copy' })
  return element('div', { class: 'body' }, copy, jsonTree(json))
}

function headersOf({ headers }: ApiResponse): HTMLElement {
  return element(
    'dl',
    { class: 'headers' },
    ...headers.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)),
    ),
  )
}

/** Returns the pagination of a list, or of the posts that a resource includes. */
function paginationOf(json: unknown): Pagination | null {
  if (!isRecord(json)) return null
  const found = json['pagination'] ?? (isRecord(json['posts']) ? json['posts']['pagination'] : null)
  return isRecord(found) && typeof found['totalPages'] === 'number'
    ? (found as unknown as Pagination)
    : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Formats a size in powers of 1000: `1.5 kB`. */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
