// The shapes of all workspaces, read from the content without its posts.
// Knows nothing of what is done with them.
import { Cache } from '../cache/cache.ts'
import type { Settings } from '../config.ts'
import { Scanner } from '../content/scan.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { Memo } from '../memo/memo.ts'
import { mappingsOf } from '../model/front-matter-mapping.ts'
import { readShapes, type WorkspaceShape } from '../model/shape.ts'
import { findContent } from './content-place.ts'
import { Documents } from './documents.ts'
import { readToolId } from './tool-id.ts'

/**
 * Reads the shapes of a content folder; what is wrong with posts does not matter.
 *
 * @throws BuildError with every problem when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export async function loadShapes(
  settings: Pick<Settings, 'content' | 'workspaces' | 'mediaRoots' | 'project' | 'frontMatter'>,
): Promise<readonly WorkspaceShape[]> {
  const { root, mounts } = await findContent(settings)
  const cache = Cache.open(null)
  try {
    const scan = await new Scanner(root, { mounts }).scan()
    const files = scan.files.filter(({ role }) => !('of' in role) || role.of !== 'posts')
    const mappings = mappingsOf(settings.frontMatter)
    const memo = new Memo(cache, { version: readToolId().tool })
    const documents = new Documents(root, { ...scan, files }, mappings, memo)
    for await (const { document } of documents.split())
      throw new Error(`${document.file} is a post`)
    const content = await documents.content()
    const { shapes, diagnostics } = readShapes(content, mappings)
    const all = [...documents.diagnostics, ...content.diagnostics, ...diagnostics]
    if (all.some(isError)) throw new BuildError(all)
    return shapes
  } finally {
    cache.close()
  }
}
