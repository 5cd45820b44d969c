// The content made ready to be answered from: read, made out, rendered, and one snapshot a workspace.
// Knows nothing of the output folder.
import type { ReadOptions } from './content/tree.ts'
import { readContent } from './content/tree.ts'
import { BuildError, type Diagnostic, isError, sortDiagnostics } from './diagnostics.ts'
import { type MemorySnapshot, workspaceSnapshot } from './emit/snapshot.ts'
import { createRenderPool, type RenderedBody, type RenderJob } from './markdown/pool.ts'
import type { FrontMatterMapping } from './model/front-matter-mapping.ts'
import { buildLibrary, type Library, type Workspace } from './model/library.ts'
import type { MarkdownBody } from './model/markdown-body.ts'

/** A workspace, ready to be answered from. */
export interface SiteWorkspace {
  readonly workspace: Workspace
  readonly snapshot: MemorySnapshot
}

/** All workspaces, by id in code unit order. */
export interface Site {
  readonly workspaces: readonly SiteWorkspace[]
  /** Warnings alone, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Milliseconds. */
  readonly timings: { readonly read: number; readonly render: number }
}

/** What a site is loaded with. */
export interface LoadOptions {
  /** The content folder. */
  readonly content: string
  readonly frontMatter: FrontMatterMapping
  /** Threads that render; undefined for one a core. */
  readonly workers?: number | undefined
  /** Told now and then how many bodies are rendered. */
  readonly onProgress?: ((rendered: number, total: number) => void) | undefined
  /** How the content folder is read. */
  readonly read?: ReadOptions | undefined
}

/**
 * Loads the content.
 *
 * @throws BuildError with every problem when one of them is an error
 * @throws ContentFolderError when there is no content folder
 */
export async function loadSite(options: LoadOptions): Promise<Site> {
  const started = performance.now()
  const content = await readContent(options.content, options.read)
  const library = buildLibrary(content, options.frontMatter)
  const read = performance.now()
  const rendering = await renderLibrary(library, options)
  const rendered = performance.now()
  const all = [...content.diagnostics, ...library.diagnostics, ...rendering.diagnostics]
  if (all.some(isError)) throw new BuildError(all)
  return {
    workspaces: library.workspaces.map((workspace) => ({
      workspace,
      snapshot: workspaceSnapshot(workspace, rendering.bodiesOf(workspace)),
    })),
    diagnostics: sortDiagnostics(all),
    timings: { read: read - started, render: rendered - read },
  }
}

interface Rendering {
  /** One a post, in the workspace's order. */
  bodiesOf(workspace: Workspace): readonly RenderedBody[]
  readonly diagnostics: readonly Diagnostic[]
}

async function renderLibrary(library: Library, options: LoadOptions): Promise<Rendering> {
  const bodies = library.workspaces.flatMap(({ posts, brokenBodies }) => [
    ...posts.map((post) => post.body),
    ...brokenBodies,
  ])
  const rendered = new Map<MarkdownBody, RenderedBody>()
  const diagnostics: Diagnostic[] = []
  const { workers } = options
  const pool = createRenderPool(workers === undefined ? {} : { workers })
  let done = 0
  try {
    for await (const outcome of pool.render(jobsOf(bodies))) {
      diagnostics.push(...outcome.diagnostics)
      const body = bodies[outcome.key]
      if (body !== undefined && outcome.body !== undefined) rendered.set(body, outcome.body)
      done += 1
      options.onProgress?.(done, bodies.length)
    }
  } finally {
    await pool.close()
  }
  return {
    bodiesOf: ({ posts }) => posts.flatMap(({ body }) => rendered.get(body) ?? []),
    diagnostics,
  }
}

function* jobsOf(bodies: readonly MarkdownBody[]): Generator<RenderJob> {
  for (const [key, { file, text, line }] of bodies.entries()) {
    yield { key, file, body: text, bodyLine: line }
  }
}
