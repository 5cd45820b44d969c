// The pipeline on one page: content is read, made out and rendered; every canonical request is answered, and
// the answers are written down. Knows nothing of terminals.
import { bodyBytes, etagOf } from './api/answer.ts'
import { respond } from './api/respond.ts'
import { published } from './api/visibility.ts'
import type { Settings } from './config.ts'
import type { Diagnostic } from './diagnostics.ts'
import { Bundle } from './emit/bundle.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from './emit/manifest.ts'
import { openOutput } from './emit/output-folder.ts'
import { planWorkspace } from './emit/plan.ts'
import { type Changes, Publication } from './emit/publication.ts'
import { type LoadOptions, loadSite, type Site, type SiteWorkspace } from './site.ts'

/** How a build is run. */
export interface BuildOptions extends Pick<LoadOptions, 'onProgress' | 'read'> {
  /** The moment that decides what is published, in milliseconds since 1970. @default the clock */
  readonly now?: number | undefined
  /** Writes every file again, also those that did not change. @default false */
  readonly isForced?: boolean | undefined
}

/** What a build did. */
export interface BuildResult {
  readonly manifest: Manifest
  readonly changes: Changes
  /** Bodies rendered. */
  readonly rendered: number
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Milliseconds. */
  readonly timings: {
    readonly read: number
    readonly render: number
    readonly write: number
    readonly total: number
  }
  /** What was written down, to be answered from. */
  readonly site: Site
}

/**
 * Builds the content into the output folder.
 *
 * @throws BuildError with every problem when the content has errors; nothing is written
 * @throws ContentFolderError when there is no content folder
 * @throws OutputError when the output folder must not or cannot be written to
 * @throws LockError when another build is at work in it
 */
export async function build(settings: Settings, options: BuildOptions = {}): Promise<BuildResult> {
  const started = performance.now()
  const { now = Date.now() } = options
  const folder = await openOutput(settings.out, settings.content)
  const publication = new Publication(folder, options.isForced)
  try {
    const site = await loadSite({ ...settings, ...options })
    const loaded = performance.now()
    await writeAnswers(site, settings, publication, now)
    const manifest = await writeBundle(site, publication, now)
    const changes = await publication.publish(manifest)
    const ended = performance.now()
    return {
      manifest,
      changes,
      rendered: site.workspaces.reduce((sum, { workspace }) => sum + workspace.posts.length, 0),
      diagnostics: site.diagnostics,
      timings: { ...site.timings, write: ended - loaded, total: ended - started },
      site,
    }
  } finally {
    await publication.discard()
  }
}

/** Every canonical request, answered and written down. */
async function writeAnswers(
  { workspaces }: Site,
  { precompute }: Settings,
  publication: Publication,
  now: number,
): Promise<void> {
  for (const { workspace, snapshot } of workspaces) {
    for (const { request, paths, stage } of planWorkspace(workspace, snapshot, precompute, now)) {
      const answer = await respond(request, snapshot, now)
      if (answer.status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
      await publication.add({
        bytes: () => bodyBytes(answer.body, snapshot),
        etag: etagOf(answer.body, snapshot),
        paths,
        stage,
      })
    }
  }
}

/** What the function needs to answer everything else; the manifest describes both. */
async function writeBundle(site: Site, publication: Publication, now: number): Promise<Manifest> {
  const bundle = new Bundle()
  const moments = site.workspaces.map((workspace) => momentsOf(workspace, now))
  for (const [index, { workspace, snapshot }] of site.workspaces.entries()) {
    const scheduled = moments[index]?.scheduled ?? 0
    for (const { path, bytes } of bundle.add({ workspace, snapshot, scheduled })) {
      await publication.add({ bytes: () => bytes, paths: [path], stage: 'data' })
    }
  }
  const build = buildId(publication.files, bundle.fingerprint())
  const { path, bytes } = await bundle.index(build)
  await publication.add({ bytes: () => bytes, paths: [path], stage: 'index' })
  return makeManifest({
    build,
    validFrom: isoDate(Math.max(...moments.map(({ validFrom }) => validFrom))),
    validUntil: isoDate(Math.min(...moments.map(({ validUntil }) => validUntil))),
    workspaces: Object.fromEntries(
      site.workspaces.map(({ workspace }, index) => [
        workspace.id,
        countsOf(workspace, moments[index]?.scheduled ?? 0),
      ]),
    ),
    files: publication.files,
  })
}

/** When a workspace's files begin and cease to be true; infinite for always and for ever. */
function momentsOf(
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

function countsOf(workspace: SiteWorkspace['workspace'], scheduled: number): WorkspaceCounts {
  const { name, posts, categories, tags, authors } = workspace
  return {
    name,
    posts: posts.length - scheduled,
    scheduled,
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
  }
}

function isoDate(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null
}
