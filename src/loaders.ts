// Content for the integrations of Astro and Vite.

import { join } from 'node:path'
import { bodyBytes } from './api/api-response.ts'
import { parseParameters } from './api/parameters.ts'
import type { Target } from './api/request.ts'
import type { ResourceKind } from './api/resources.ts'
import { respond, snapshotOf } from './api/respond.ts'
import { type DevEvent, type DevLoop, startDev } from './build/dev.ts'
import { codeFrame, describeDiagnostics, relativeToCwd } from './cli/report.ts'
import { terminalOf } from './cli/terminal.ts'
import { defaults, loadConfig, resolveSettings, type Settings, UseError } from './config.ts'
import { BuildError, isError } from './diagnostics.ts'

/** The location of a project's content. */
export interface ContentOptions {
  /** The project folder. @default the working directory */
  readonly project?: string
  /** The configuration file. @default `quarry.config.ts` or a variant, if present */
  readonly config?: string
  /** The content folder. @default the folder in the configuration */
  readonly content?: string
}

/** The log of a tool. */
export interface ContentLog {
  warn(text: string): void
  error(text: string): void
}

/** A kind of resource, or a collection of the workspace. */
export type ListedKind = ResourceKind | { readonly collection: string }

/** Content that is followed while it changes. */
export interface LocalContent {
  readonly settings: Settings
  readonly loop: DevLoop
  /**
   * Lists every published resource of a kind, as in the API.
   *
   * @throws UseError for an unknown workspace or collection; the content's error when no build has succeeded yet
   */
  list(workspace: string, kind: ListedKind): Promise<readonly ListedResource[]>
  /** The error of the latest build; null after a successful one. */
  problem(): Error | null
}

/** The problems of the content in the format of `quarry check`, with the position of the first error for tools. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
  readonly plugin = 'quarry'
  /** The absolute path of the first file with an error. */
  readonly id: string
  readonly loc: { readonly file: string; readonly line: number; readonly column: number }
  /** The source line, and a mark below it. */
  readonly frame: string

  /** @param content the absolute path of the content folder */
  constructor({ diagnostics }: BuildError, content: string) {
    super(describeDiagnostics(relativeToCwd(diagnostics, content), plainTerminal))
    const first = diagnostics.find(isError) ?? { file: '', line: 1, column: 1 }
    this.id = join(content, first.file)
    this.loc = { file: this.id, line: first.line, column: first.column }
    this.frame = codeFrame(first, plainTerminal).join('\n')
    // A stack trace of quarry's own functions does not help to fix the content.
    this.stack = ''
  }
}

const plainTerminal = terminalOf({ NO_COLOR: '1' }, {})

/** A resource as the API lists it. */
export interface ListedResource {
  readonly id: string
  readonly slug: string
}

/**
 * Builds the content and follows it until its loop is closed. Writes the types of the workspaces to `.quarry`.
 *
 * @param log gets the warnings of each build, and its errors. `list` throws the errors of the first build
 * @param tool name of the tool, which is also that of the output folder
 */
export async function openContent(
  tool: string,
  { project = process.cwd(), config, content }: ContentOptions,
  log: ContentLog,
): Promise<LocalContent> {
  const out = toolFolder(tool, project)
  const own = { content: join(project, defaults.content), project }
  const settings = resolveSettings({ content, out }, await loadConfig(project, config), own)
  const types = join(project, '.quarry')
  const loop = await startDev(settings, { types, createsTypes: true })
  const problem = () => problemOf(loop.latest(), settings.content)
  const report = (event: DevEvent) => {
    if (event.kind === 'broken') log.error(problem()?.message ?? '')
    if (event.kind !== 'built' || event.result.diagnostics.length === 0) return
    const diagnostics = relativeToCwd(event.result.diagnostics, settings.content)
    log.warn(describeDiagnostics(diagnostics, plainTerminal))
  }
  if (loop.latest().kind === 'built') report(loop.latest())
  loop.subscribe(report)
  return {
    settings,
    loop,
    list: (workspace, kind) => listAll(loop, workspace, kind, problem()),
    problem,
  }
}

/** Returns the output folder of a tool, which is not the project's, because the tool may write to that one. */
export function toolFolder(tool: string, project: string = process.cwd()): string {
  return join(project, 'node_modules/.cache', `quarry-${tool}`)
}

function problemOf(event: DevEvent, content: string): Error | null {
  if (event.kind !== 'broken') return null
  if (event.error instanceof BuildError) return new ContentError(event.error, content)
  return event.error instanceof Error ? event.error : new Error(String(event.error))
}

async function listAll(
  loop: DevLoop,
  workspace: string,
  kind: ListedKind,
  problem: Error | null,
): Promise<readonly ListedResource[]> {
  const { workspaces } = loop.current()
  if (problem !== null && workspaces.size === 0) throw problem
  const served = workspaces.get(workspace)
  if (served === undefined) throw unknown('workspace', workspace, workspaces.keys())
  const isOwn = typeof kind === 'object'
  const rows = isOwn ? served.collections?.get(kind.collection) : served
  if (rows === undefined)
    throw unknown('collection', isOwn ? kind.collection : kind, served.collections?.keys() ?? [])
  const target = {
    ...{ version: 'v2', workspace, identifier: null, isSdk: false },
    ...(isOwn ? { resource: 'items', ...kind } : { resource: kind }),
  } as Target
  const place = { ...target, ...rows, ownOrder: rows.order }
  const parameters = { ...parseParameters(place, []), limit: 'all' } as const
  const [request, now] = [{ ...target, workspace, parameters }, Date.now()]
  const snapshot = await snapshotOf(request, await rows.open(), now)
  const { body } = await respond(request, snapshot, now)
  return JSON.parse(new TextDecoder().decode(await bodyBytes(body, snapshot)))[target.resource]
}

function unknown(what: string, name: string, known: Iterable<string>): UseError {
  const names = [...known].join(', ') || 'none'
  return new UseError(`There is no ${what} ${JSON.stringify(name)}. There are: ${names}.`)
}
