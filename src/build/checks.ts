// What a build says of the last one: workspaces that lost their posts, and slugs that no longer resolve.
import { requestOfFile } from '../api/paths.ts'
import { nearest } from '../content/nearest.ts'
import {
  BuildError,
  type Diagnostic,
  type DiagnosticCode,
  diagnosticAt,
  fileStart,
} from '../diagnostics.ts'
import { deriveId } from '../model/identifier.ts'
import type { Workspace } from '../model/library.ts'
import type { Manifest } from './manifest.ts'

/**
 * Checks that no workspace has lost all its posts since the last build.
 *
 * @param last the last build. @default none
 * @throws BuildError that names every workspace that lost all its posts
 */
export function assertPosts(
  workspaces: readonly Pick<Workspace, 'id' | 'posts'>[],
  last: Pick<Manifest, 'workspaces'> | null,
): void {
  const counts = new Map(workspaces.map(({ id, posts }) => [id, posts.length]))
  const lost: Diagnostic[] = []
  for (const [id, { posts, scheduled }] of Object.entries(last?.workspaces ?? {})) {
    const before = posts + scheduled
    if (before === 0 || (counts.get(id) ?? 0) > 0) continue
    const message = `The workspace "${id}" has no posts, and had ${before} in the last build.`
    const hint =
      'Check that its files are there; `npx quarry build --allow-empty` builds it without posts.'
    lost.push(diagnosticAt(id, fileStart, { code: 'no-posts', message, hint }))
  }
  if (lost.length > 0) throw new BuildError(lost)
}

/**
 * One warning per slug of the last build that is now neither a slug nor an alias, nor that of a draft.
 *
 * @param removed responses that this build removed
 * @param ignored codes of suppressed warnings
 */
export function lostSlugs(
  workspaces: readonly Pick<Workspace, 'id' | 'posts' | 'drafts'>[],
  { removed, last }: { readonly removed: readonly string[]; readonly last: Manifest | null },
  ignored: readonly DiagnosticCode[],
): readonly Diagnostic[] {
  if (ignored.includes('lost-slug')) return []
  /** Paths of removed posts by workspace and slug. */
  const gone = new Map<string, Map<string, string>>()
  for (const path of removed) {
    const { resource, identifier, workspace = '' } = requestOfFile(path) ?? {}
    if (resource !== 'posts' || identifier == null || path.endsWith('.md')) continue
    gone.set(workspace, (gone.get(workspace) ?? new Map()).set(identifier, path))
  }
  return workspaces.flatMap(({ id, posts, drafts }) => {
    const paths = gone.get(id)
    if (paths === undefined) return []
    const known = new Set([
      ...posts.flatMap(({ post, aliases }) => [post.slug, post.id, ...aliases]),
      ...drafts.map(({ slug }) => slug),
      // With `precompute.ids`, a post also has files under its id.
      ...[...paths.keys()].map((slug) => deriveId(id, 'posts', slug)),
    ])
    return [...paths].flatMap(([slug, path]) => {
      if (known.has(slug)) return []
      const isNew = (other: string) =>
        !last?.files.has(path.replace(`/${slug}.json`, `/${other}.json`))
      const fresh = posts.filter(({ post }) => isNew(post.slug))
      const slugs = fresh.map(({ post }) => post.slug)
      const renamed = slugs.length === 1 ? slugs[0] : nearest(slug, slugs)
      return [
        lostSlug(
          id,
          slug,
          fresh.find(({ post }) => post.slug === renamed),
        ),
      ]
    })
  })
}

/** @param likely the post that the slug was most likely of */
function lostSlug(
  workspace: string,
  slug: string,
  likely: Workspace['posts'][number] | undefined,
): Diagnostic {
  const line = `aliases: [${[...(likely?.aliases ?? []), slug].join(', ')}]`
  const which = likely === undefined ? 'the post has another slug' : 'this is the post'
  return diagnosticAt(likely?.body.file ?? workspace, fileStart, {
    code: 'lost-slug',
    severity: 'warning',
    message: `The last build had a post "${slug}", and no post has this slug or alias now.`,
    hint: `Links to it are broken. If ${which}, add \`${line}\` to it.`,
  })
}
