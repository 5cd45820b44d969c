// The content as its author sees it: workspaces, every post with its file and its state, drafts too.
import { join } from 'node:path'
import type { Workspace } from '../model/library.ts'
import type { ContentView, ViewedWorkspace } from './page-data.ts'

/**
 * The content of workspaces; cost: O(posts).
 *
 * @param place the working folder, absolute, and the content folder below it
 */
export function contentView(
  workspaces: readonly Workspace[],
  { root, folder }: { readonly root: string; readonly folder: string },
): ContentView {
  const place = (file: string) => join(folder, file).replaceAll('\\', '/')
  return {
    root: root.replaceAll('\\', '/'),
    workspaces: workspaces.map((workspace) => viewWorkspace(workspace, place)),
  }
}

function viewWorkspace(workspace: Workspace, place: (file: string) => string): ViewedWorkspace {
  const { id, name, isV1Private, categories, tags, authors } = workspace
  const posts = workspace.posts.map(({ post, body }) => ({
    title: post.title,
    isDraft: false,
    slug: post.slug,
    publishedAt: post.publishedAt,
    category: post.category.name,
    file: place(body.file),
  }))
  const drafts = workspace.drafts.map((draft) => ({
    ...draft,
    file: place(draft.file),
    isDraft: true,
    slug: null,
    category: null,
  }))
  return {
    id,
    name,
    isV1Private,
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
    posts: [...drafts, ...posts],
  }
}
