// Resolves images and links of rendered bodies, and collects the images to publish.
import type { Diagnostic } from '../diagnostics.ts'
import type { RenderedBodies, StoredBody } from '../markdown/bodies.ts'
import type { FileTarget, FileTargets } from '../markdown/file-targets.ts'
import { problemsMax } from '../markdown/problem.ts'
import type { Rendering } from '../markdown/rendering.ts'
import type { Destination, MediaFile } from '../model/destinations.ts'
import type { Library, Workspace } from '../model/library.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import { Hints, type Problem } from '../model/problems.ts'
import { PostAnchors } from './post-anchors.ts'

/** The resolved destinations of all bodies. */
export interface ResolvedBodies {
  readonly diagnostics: readonly Diagnostic[]
  /** The distinct images of posts, by path; without those that only drafts show. */
  readonly media: readonly MediaFile[]
  /**
   * Returns the body of a post of the library, as served. @throws RangeError for a body that was not rendered, or has
   * an error
   */
  place(body: MarkdownBody): StoredBody
  /** The resolved destinations of a body, in order. */
  destinationsOf(body: MarkdownBody): readonly Destination[]
}

/** Resolves every destination that may refer to a file; bodies are produced on demand. */
export function resolveBodies(
  library: Library,
  rendering: Rendering,
  bodies: RenderedBodies,
): ResolvedBodies {
  const found = library.workspaces.flatMap((workspace) => {
    const anchors = new PostAnchors(() => bodiesOf(workspace), rendering)
    return bodiesOf(workspace).flatMap((body) =>
      withDestinations(workspace, body, rendering, anchors),
    )
  })
  const byBody = new Map(found.map((one) => [one.body, one]))
  const covers = library.workspaces.flatMap(({ posts }) => posts.map(({ cover }) => cover))
  // Images that only drafts show are not published.
  const ofDrafts = new Set(
    library.workspaces.flatMap(({ draftPosts }) => draftPosts.map(({ body }) => body)),
  )
  const shown = found
    .filter(({ body }) => !ofDrafts.has(body))
    .flatMap(({ destinations }) => destinations.map(({ media }) => media))
  return {
    diagnostics: diagnosticsOf(found),
    media: distinctMedia([...covers, ...shown]),
    destinationsOf: (body) => byBody.get(body)?.destinations ?? [],
    place: (body) => {
      const kept = rendering.bodyOf(body)
      const placed = byBody.get(body)
      if (placed === undefined) return kept
      const urls = placed.destinations.map(({ url }) => url)
      return bodies.place(kept, placed.files, urls)
    },
  }
}

/** A body with destinations that may refer to files, and their resolution. */
interface BodyDestinations {
  readonly body: MarkdownBody
  readonly files: FileTargets
  readonly destinations: readonly Destination[]
}

/** @returns empty for a body without such destinations, as most are */
function withDestinations(
  { destinations }: Workspace,
  body: MarkdownBody,
  rendering: Rendering,
  anchors: PostAnchors,
): readonly BodyDestinations[] {
  const files = rendering.filesOf(body)
  if (files === null) return []
  const found = files.targets.map(({ kind, url }) => {
    return anchors.resolved(url, destinations.resolve(body.file, kind, url))
  })
  return [{ body, files, destinations: found }]
}

/** The bodies of all posts, including those with errors and stored drafts. */
export function bodiesOf({ posts, draftPosts, brokenBodies }: Workspace): readonly MarkdownBody[] {
  return [...posts, ...draftPosts].map(({ body }) => body).concat(brokenBodies)
}

function distinctMedia(files: readonly (MediaFile | null | undefined)[]): readonly MediaFile[] {
  const byPath = new Map<string, MediaFile>()
  for (const file of files) if (file) byPath.set(file.path, file)
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** One problem per broken destination, limited per body; sorted by file. */
function diagnosticsOf(bodies: readonly BodyDestinations[]): readonly Diagnostic[] {
  const hints = new Hints()
  const diagnostics: Diagnostic[] = []
  for (const { body, files, destinations } of bodies.toSorted(byFile)) {
    let count = 0
    for (const [index, target] of files.targets.entries()) {
      const problem = destinations[index]?.problem
      if (problem === undefined) continue
      diagnostics.push(diagnosticOf(problem(), target, body, hints))
      count += 1
      if (count === problemsMax) break
    }
  }
  return diagnostics
}

function byFile({ body: a }: BodyDestinations, { body: b }: BodyDestinations): number {
  return a.file < b.file ? -1 : 1
}

function diagnosticOf(
  problem: Problem,
  { line, column, lineText }: FileTarget,
  { file, bodyLine }: MarkdownBody,
  hints: Hints,
): Diagnostic {
  const { code, message, severity = 'error' } = problem
  const hint = hints.of(problem)
  return {
    code,
    severity,
    file,
    line: line + bodyLine - 1,
    column,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(lineText === undefined ? {} : { lineText }),
  }
}
