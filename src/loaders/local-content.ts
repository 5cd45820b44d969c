// Builds the content of a project in this process and follows its changes, for tools that load it.
import { join } from 'node:path'
import { bodyBytes } from '../api/api-response.ts'
import { defaultParameters } from '../api/request.ts'
import type { ResourceKind } from '../api/resources.ts'
import { respond } from '../api/respond.ts'
import { loadConfig, resolveSettings, type Settings, UseError } from '../config.ts'
import { type DevLoop, startDev } from '../dev.ts'
import { writeTypes } from '../pipeline/write-types.ts'

/** The location of a project's content. */
export interface ContentOptions {
  /** The project folder. @default the working directory */
  readonly project?: string
  /** The configuration file. @default `quarry.config.ts` or a variant, if present */
  readonly config?: string
  /** The content folder. @default that of the configuration */
  readonly content?: string
}

/** Content that is followed while it changes. */
export interface LocalContent {
  readonly settings: Settings
  readonly loop: DevLoop
  /**
   * Lists every published resource of a kind, as in the API.
   *
   * @throws UseError for an unknown workspace; the content's error when no build has succeeded yet
   */
  list(workspace: string, kind: ResourceKind): Promise<readonly ListedResource[]>
  /** Calls a listener after each build except the first; returns a function that unsubscribes it. */
  onBuilt(listener: () => void): () => void
}

/** A resource as in the API's lists. */
export interface ListedResource {
  readonly id: string
  readonly slug: string
}

/**
 * Builds the content and follows it until its loop is closed. Writes the types of the workspaces to `.quarry`.
 *
 * @param tool the name of a separate output folder: the tool often uses that of the project itself
 */
export async function openContent(
  tool: string,
  { project = process.cwd(), config, content }: ContentOptions,
): Promise<LocalContent> {
  const out = join(project, 'node_modules/.cache', `quarry-${tool}`)
  const settings = resolveSettings({ content, out }, await loadConfig(project, config))
  await writeTypes(settings, join(project, '.quarry'))
  const loop = await startDev(settings)
  return {
    settings,
    loop,
    list: (workspace, kind) => listAll(loop, workspace, kind),
    onBuilt: (listener) => loop.subscribe(({ kind }) => kind === 'built' && listener()),
  }
}

async function listAll(
  loop: DevLoop,
  workspace: string,
  resource: ResourceKind,
): Promise<readonly ListedResource[]> {
  const latest = loop.latest()
  const { workspaces } = loop.current()
  if (latest.kind === 'broken' && workspaces.size === 0) throw latest.error
  const served = workspaces.get(workspace)
  if (served === undefined) {
    throw new UseError(
      `There is no workspace ${JSON.stringify(workspace)}. There are: ${[...workspaces.keys()].join(', ')}.`,
    )
  }
  const snapshot = await served.open()
  const parameters = { ...defaultParameters, limit: 'all' } as const
  const request = { version: 'v2', workspace, resource, identifier: null, parameters } as const
  const { body } = await respond(request, snapshot, Date.now())
  return JSON.parse(new TextDecoder().decode(await bodyBytes(body, snapshot)))[resource]
}
