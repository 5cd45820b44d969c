// Rejects builds that contradict the last one: a workspace lost all its posts.
import { BuildError } from '../diagnostics.ts'
import type { WorkspaceCounts } from '../emit/manifest.ts'
import type { Workspace } from '../model/library.ts'

/**
 * Checks that no workspace has lost all its posts since the last build.
 *
 * @param last workspaces of the last build, by id. @default none
 * @throws BuildError that names every workspace that lost all its posts
 */
export function assertPosts(
  workspaces: readonly Pick<Workspace, 'id' | 'posts'>[],
  last: Readonly<Record<string, WorkspaceCounts>> = {},
): void {
  const counts = new Map(workspaces.map(({ id, posts }) => [id, posts.length]))
  const lost = Object.entries(last).flatMap(([id, { posts, scheduled }]) => {
    const before = posts + scheduled
    const isThere = before === 0 || (counts.get(id) ?? 0) > 0
    return isThere ? [] : [lostPosts(id, before)]
  })
  if (lost.length > 0) throw new BuildError(lost)
}

function lostPosts(file: string, before: number) {
  return {
    code: 'no-posts',
    severity: 'error',
    file,
    line: 1,
    column: 1,
    message: `The workspace "${file}" has no posts, and had ${before} in the last build.`,
    hint: 'Check that its files are there; `npx quarry build --allow-empty` builds it without posts.',
  } as const
}
