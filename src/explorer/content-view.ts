// The content as its author sees it: workspaces, every post with its file and its state, drafts too.
import type { Workspace } from '../model/library.ts'
import type { ContentView, ViewedWorkspace } from './page-data.ts'

/** The content of workspaces; cost: O(posts). */
export function contentView(workspaces: readonly Workspace[]): ContentView {
  return { workspaces: workspaces.map(viewWorkspace) }
}

function viewWorkspace(workspace: Workspace): ViewedWorkspace {
  const { id, name, isV1Private, categories, tags, authors } = workspace
  const posts = workspace.posts.map(({ post, body }) => ({
    title: post.title,
    isDraft: false,
    slug: post.slug,
    publishedAt: post.publishedAt,
    category: post.category.name,
    file: body.file,
  }))
  const drafts = workspace.drafts.map((draft) => ({
    ...draft,
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
