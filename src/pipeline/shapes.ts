// Reads the shapes of all workspaces and the names of their published resources, without rendering content.
import { Cache } from '../cache/cache.ts'
import type { Settings } from '../config.ts'
import { Scanner } from '../content/scan.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { Memo } from '../memo/memo.ts'
import { mappingsOf } from '../model/front-matter-mapping.ts'
import { buildLibrary } from '../model/library.ts'
import {
  type PublishedSlugs,
  publishedSlugs,
  readShapes,
  type WorkspaceShape,
} from '../model/shape.ts'
import { findContent } from './content-place.ts'
import { Documents } from './documents.ts'
import { readToolId } from './tool-id.ts'

/** A shape, and the names of the published resources. */
export interface LoadedShape extends WorkspaceShape {
  readonly slugs: PublishedSlugs
}

const noSlugs: PublishedSlugs = { posts: [], categories: [], tags: [], authors: [] }

/**
 * Reads the shapes of a content folder. Posts with errors are excluded.
 *
 * @param now milliseconds since 1970
 * @throws BuildError with every problem when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export async function loadShapes(
  settings: Pick<Settings, 'content' | 'workspaces' | 'mediaRoots' | 'project' | 'frontMatter'>,
  now: number = Date.now(),
): Promise<readonly LoadedShape[]> {
  const { root, mounts } = await findContent(settings)
  const cache = Cache.open(null)
  try {
    const scan = await new Scanner(root, { mounts }).scan()
    const mappings = mappingsOf(settings.frontMatter)
    const memo = new Memo(cache, { version: readToolId().tool })
    const documents = new Documents(root, scan, mappings, memo)
    for await (const _ of documents.split()) {
      // Drains the files; bodies are not needed.
    }
    const content = await documents.content()
    const { shapes, diagnostics } = readShapes(content, mappings)
    const posts = new Set(
      scan.files.flatMap(({ path, role }) => ('of' in role && role.of === 'posts' ? [path] : [])),
    )
    const all = [...documents.diagnostics, ...content.diagnostics, ...diagnostics]
    const ofShapes = all.filter(({ file }) => !posts.has(file))
    if (ofShapes.some(isError)) throw new BuildError(ofShapes)
    const { workspaces } = buildLibrary(content, settings.frontMatter, {}, now)
    const slugs = new Map(workspaces.map((made) => [made.id, publishedSlugs(made, now)]))
    return shapes.map((shape) => ({ ...shape, slugs: slugs.get(shape.id) ?? noSlugs }))
  } finally {
    cache.close()
  }
}
