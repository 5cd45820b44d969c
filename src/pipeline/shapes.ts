// The shapes of all workspaces, read from the content without its posts.
// Knows nothing of what is done with them.
import { Cache } from '../cache/cache.ts'
import type { Settings } from '../config.ts'
import { ContentReader } from '../content/reader.ts'
import { Scanner } from '../content/scan.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { mappingsOf } from '../model/front-matter-mapping.ts'
import { readShapes, type WorkspaceShape } from '../model/shape.ts'
import { findContent } from './content-place.ts'
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
    const read = new ContentReader(root, cache, readToolId().tool).read({ ...scan, files }).next()
    if (read.done !== true) throw new Error('a post was read')
    const { shapes, diagnostics } = readShapes(read.value, mappingsOf(settings.frontMatter))
    const all = [...read.value.diagnostics, ...diagnostics]
    if (all.some(isError)) throw new BuildError(all)
    return shapes
  } finally {
    cache.close()
  }
}
