// A row in the list of posts: the title, the state, the date of publication, the file.
import type { ViewedPost, ViewedWorkspace } from 'quarry'
import { editorLink } from './code-frame.ts'
import { element } from './element.ts'
import { hashOf } from './request.ts'

/** State of a post. */
export type PostState = 'published' | 'scheduled' | 'draft'

/** Returns the state of a post at a time in milliseconds since 1970. */
export function stateOf({ isDraft, publishedAt }: ViewedPost, now: number): PostState {
  if (isDraft) return 'draft'
  return Date.parse(publishedAt ?? '') > now ? 'scheduled' : 'published'
}

/** Returns the row of a post. Its title links to its response, which needs a key for a draft, a time if scheduled. */
export function postRow(
  post: ViewedPost,
  workspace: ViewedWorkspace,
  context: {
    readonly now: number
    readonly root: string
    readonly showAt: (time: string) => void
  },
): HTMLElement {
  const { now, root } = context
  const { title, publishedAt, category, file } = post
  const state = stateOf(post, now)
  const link = element('a', { class: 'title', href: addressOf(post, workspace) }, title)
  if (state === 'scheduled') link.addEventListener('click', () => context.showAt(publishedAt ?? ''))
  return element(
    'li',
    { class: 'post' },
    link,
    element('span', { class: `state ${state}` }, state),
    element('span', { class: 'when' }, publishedAt === null ? 'no date' : dateText(publishedAt)),
    editorLink(root, { file }, file),
    element('span', { class: 'category dim' }, category ?? ''),
  )
}

function addressOf({ slug, isDraft }: ViewedPost, { id, isV1Private }: ViewedWorkspace): string {
  if (isV1Private || isDraft)
    return hashOf('v2GetPost', { identifier: slug, status: isDraft ? 'draft' : '' })
  return hashOf('v1GetPost', { workspaceId: id, identifier: slug })
}

function dateText(publishedAt: string): HTMLElement {
  const date = new Date(publishedAt).toLocaleDateString('en', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })
  return element('time', { datetime: publishedAt, title: publishedAt }, date)
}
