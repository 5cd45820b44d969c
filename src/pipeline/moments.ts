// Moments in the life of a workspace's files: from when they are true, and until when.
// Knows nothing of files.
import { published } from '../api/visibility.ts'
import type { SiteWorkspace } from './site.ts'

/** Posts of a workspace that are scheduled at a moment. */
export function scheduledCount(workspace: SiteWorkspace, now: number): number {
  return momentsOf(workspace, now).scheduled
}

/** When a workspace's files begin and cease to be true; infinite for always and for ever. */
export function momentsOf(
  { workspace, snapshot }: SiteWorkspace,
  now: number,
): { readonly validFrom: number; readonly validUntil: number; readonly scheduled: number } {
  const all = Uint32Array.from(workspace.posts, (_, ordinal) => ordinal)
  const { posts, validUntil } = published(all, snapshot, now)
  const [latest] = posts
  return {
    validFrom: latest === undefined ? Number.NEGATIVE_INFINITY : snapshot.publishedAt(latest),
    validUntil: validUntil ?? Number.POSITIVE_INFINITY,
    scheduled: all.length - posts.length,
  }
}
