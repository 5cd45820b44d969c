// A built workspace as the plain objects that the oracle reads.
import type { Term } from '../../src/api/resources.ts'
import { visibleText } from '../../src/snapshot/visible-text.ts'
import type { SampleWorkspace } from './sample-workspace.ts'
import type { LoadedSite } from './temporary-site.ts'

/** A built workspace as plain objects. */
export async function sampleOf({
  workspace,
  snapshot,
}: LoadedSite['workspaces'][number]): Promise<SampleWorkspace> {
  const parse = async (part: 'html' | 'markdown', ordinal: number): Promise<string> =>
    JSON.parse(new TextDecoder().decode(await snapshot.read({ of: 'posts', part, ordinal })))
  const posts = workspace.posts.map(async ({ post }, ordinal) => {
    const html = await parse('html', ordinal)
    return { post, html, markdown: await parse('markdown', ordinal), text: visibleText(html) }
  })
  // Only what a term has: the oracle knows an author by its other fields.
  const plain = ({ id, slug, name, description }: Term): Term => ({ id, slug, name, description })
  return {
    posts: await Promise.all(posts),
    categories: workspace.categories.map(plain),
    tags: workspace.tags.map(plain),
    authors: workspace.authors,
  }
}
