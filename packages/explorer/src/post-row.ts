// A post in the list of the content: its title, its state, when it is or will be published, its file.
import type { ViewedPost, ViewedWorkspace } from 'quarry'
import { editorLink } from './editor-link.ts'
import { element } from './element.ts'
import { hashOf } from './request.ts'

/** Whether a post is to be seen. */
export type PostState = 'published' | 'scheduled' | 'draft'

/** The state of a post at a moment, in milliseconds since 1970. */
export function stateOf({ isDraft, publishedAt }: ViewedPost, now: number): PostState {
  if (isDraft) return 'draft'
  return Date.parse(publishedAt ?? '') > now ? 'scheduled' : 'published'
}

/** A post's row; the title of one that is published leads to its response. */
export function postRow(
  post: ViewedPost,
  workspace: ViewedWorkspace,
  { now, root }: { readonly now: number; readonly root: string },
): HTMLElement {
  const { title, publishedAt, category, file } = post
  const state = stateOf(post, now)
  return element(
    'li',
    { class: 'post' },
    state === 'published'
      ? element('a', { class: 'title', href: addressOf(post, workspace) }, title)
      : element('span', { class: 'title' }, title),
    element('span', { class: `state ${state}` }, state),
    element(
      'span',
      { class: 'when' },
      publishedAt === null ? 'no date' : dateText(publishedAt, state, now),
    ),
    editorLink(root, { file }, file),
    element('span', { class: 'category dim' }, category ?? ''),
  )
}

function addressOf({ slug }: ViewedPost, { id, isV1Private }: ViewedWorkspace): string {
  const identifier = slug ?? ''
  return isV1Private
    ? hashOf('v2GetPost', { identifier })
    : hashOf('v1GetPost', { workspaceId: id, identifier })
}

function dateText(publishedAt: string, state: PostState, now: number): HTMLElement {
  const moment = new Date(publishedAt)
  const date = moment.toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
  const text = state === 'scheduled' ? `${ahead(moment.getTime() - now)}, ${date}` : date
  return element('time', { datetime: publishedAt, title: publishedAt }, text)
}

/** `in 3 days`: in the largest unit of which there are two at least. */
function ahead(milliseconds: number): string {
  const [unit, length] = units.find(([, long]) => milliseconds >= 2 * long) ?? ['minute', minute]
  return new Intl.RelativeTimeFormat('en').format(
    Math.max(1, Math.round(milliseconds / length)),
    unit,
  )
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['day', day],
  ['hour', hour],
]
