// What a build says of the last one: workspaces that lost their posts, and slugs that no longer resolve.
import { requestOfFile } from '../api/paths.ts'
import { nearest } from '../content/nearest.ts'
import { BuildError, type Diagnostic, type DiagnosticCode } from '../diagnostics.ts'
import { deriveId } from '../model/identifier.ts'
import type { Workspace } from '../model/library.ts'
import type { ReadPost } from '../model/posts.ts'
import type { WorkspaceCounts } from './manifest.ts'
import type { Output } from './output.ts'

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
  const lost = Object.entries(last).flatMap(([id, { posts, scheduled }]): Diagnostic[] => {
    const before = posts + scheduled
    if (before === 0 || (counts.get(id) ?? 0) > 0) return []
    return [
      {
        code: 'no-posts',
        severity: 'error',
        file: id,
        line: 1,
        column: 1,
        message: `The workspace "${id}" has no posts, and had ${before} in the last build.`,
        hint: 'Check that its files are there; `npx quarry build --allow-empty` builds it without posts.',
      },
    ]
  })
  if (lost.length > 0) throw new BuildError(lost)
}

/** The parts of a workspace that contain names of posts. */
type Named = Pick<Workspace, 'id' | 'posts' | 'drafts'>

/**
 * One warning per slug of the last build that is now neither a slug nor an alias. Posts that became drafts are
 * excluded.
 *
 * @param output after `publish`
 * @param ignored codes of suppressed warnings
 *
 * Cost: O(removed), plus O(posts) when a slug is lost.
 */
export function lostSlugs(
  workspaces: readonly Named[],
  { removed, last }: Pick<Output, 'removed' | 'last'>,
  ignored: readonly DiagnosticCode[],
): readonly Diagnostic[] {
  if (ignored.includes('lost-slug')) return []
  const isOld = (path: string) => last?.files.has(path) === true
  const lost = new Map<string, Map<string, string>>()
  for (const path of removed) {
    const request = requestOfFile(path)
    if (request?.resource !== 'posts' || request.identifier === null) continue
    const slugs = lost.get(request.workspace) ?? new Map<string, string>()
    lost.set(request.workspace, slugs.set(request.identifier, path))
  }
  return workspaces.flatMap((workspace) => {
    const slugs = lost.get(workspace.id)
    return slugs === undefined ? [] : warningsOf(workspace, slugs, isOld)
  })
}

function warningsOf(
  { id, posts, drafts }: Named,
  lost: ReadonlyMap<string, string>,
  isOld: (path: string) => boolean,
): readonly Diagnostic[] {
  const known = new Set([
    ...posts.flatMap(({ post, aliases }) => [post.slug, post.id, ...aliases]),
    ...drafts.map(({ slug }) => slug),
    // With `precompute.ids`, a post also has files under its id.
    ...[...lost.keys()].map((slug) => deriveId(id, 'posts', slug)),
  ])
  const slugs = [...lost].filter(([slug]) => !known.has(slug))
  if (slugs.length === 0) return []
  const fresh = posts.filter(({ post: { slug } }) =>
    slugs.some(([old, path]) => !isOld(path.replace(`/${old}.json`, `/${slug}.json`))),
  )
  return slugs.map(([slug]) => warning(id, slug, likelyPost(slug, fresh)))
}

/** The new post that a lost slug was most likely renamed to. @param fresh posts whose slug is new */
function likelyPost(slug: string, fresh: readonly ReadPost[]): ReadPost | undefined {
  const [only, ...others] = fresh
  if (others.length === 0) return only
  const name = nearest(
    slug,
    fresh.map(({ post }) => post.slug),
  )
  return fresh.find(({ post }) => post.slug === name)
}

function warning(workspace: string, slug: string, likely: ReadPost | undefined): Diagnostic {
  const line = `aliases: [${[...(likely?.aliases ?? []), slug].join(', ')}]`
  return {
    code: 'lost-slug',
    severity: 'warning',
    file: likely?.body.file ?? workspace,
    line: 1,
    column: 1,
    message: `The last build had a post "${slug}", and no post has this slug or alias now.`,
    hint:
      likely === undefined
        ? `Links to it are broken. If the post has another slug, add \`${line}\` to it.`
        : `Links to it are broken. If this is the post, add \`${line}\` to it.`,
  }
}
