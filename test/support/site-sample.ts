// A built workspace as the plain objects that the oracle reads.
// Knows nothing of what is asked.
import type { Term } from '../../src/api/resources.ts'
import type { SiteWorkspace } from '../../src/pipeline/site.ts'
import type { SampleWorkspace } from './sample-workspace.ts'

/** A built workspace as plain objects. */
export async function sampleOf({ workspace, snapshot }: SiteWorkspace): Promise<SampleWorkspace> {
  const texts = [...snapshot.texts()]
  const parse = async (part: 'html' | 'markdown', ordinal: number): Promise<string> =>
    JSON.parse(new TextDecoder().decode(await snapshot.read({ of: 'posts', part, ordinal })))
  const posts = workspace.posts.map(async ({ post }, ordinal) => ({
    post,
    html: await parse('html', ordinal),
    markdown: await parse('markdown', ordinal),
    text: texts[ordinal]?.read() ?? '',
  }))
  // Only what a term has: the oracle knows an author by its other fields.
  const plain = ({ id, slug, name, description }: Term): Term => ({ id, slug, name, description })
  return {
    posts: await Promise.all(posts),
    categories: workspace.categories.map(plain),
    tags: workspace.tags.map(plain),
    authors: workspace.authors,
  }
}
