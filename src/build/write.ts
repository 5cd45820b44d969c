// Writes the files of a site: images, the function's files, the responses to canonical requests, and the root. Responses
// are made from snapshots that read the written files.
import { setImmediate as turn } from 'node:timers/promises'
import { bodyBytes, etagOf } from '../api/api-response.ts'
import { readPosts } from '../api/include.ts'
import { fieldParameters } from '../api/parameter-values.ts'
import { publicFolder } from '../api/paths.ts'
import { respond } from '../api/respond.ts'
import { snapshotAt } from '../api/targets.ts'
import type { Settings } from '../config.ts'
import { indexedFields } from '../model/custom-fields.ts'
import type { Workspace } from '../model/library.ts'
import { siteOpenApi } from '../model/shapes.ts'
import { openBuild, type ServedSite } from '../runtime/open-build.ts'
import {
  encodeRoot,
  functionFolder,
  type HttpSettings,
  type Root,
  type RootWorkspace,
  rootName,
  rowsInRoot,
  schema,
} from '../snapshot/format.ts'
import { jsonFile, type SnapshotFile } from '../snapshot/write.ts'
import { readRange } from './disk.ts'
import { explorerPage } from './explorer-page.ts'
import { addChanges, compareWithLast, type Differences } from './history.ts'
import type { ImageFiles } from './images.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from './manifest.ts'
import type { Output } from './output.ts'
import { planChanges, planSite } from './plan.ts'
import type { Site, SiteWorkspace } from './site.ts'
import { addData, addPublicView, withDrafts, writeWorkspace } from './snapshots.ts'

/**
 * Adds every file of a site to the output, except the manifest.
 *
 * @param options `now` in milliseconds since 1970; `isDataOnly` as in the options of a build
 */
export async function writeSite(
  { workspaces, cache, images }: Site,
  output: Output,
  settings: Settings,
  { now, isDataOnly = false }: { readonly now: number; readonly isDataOnly?: boolean | undefined },
): Promise<Omit<Differences, 'steps'> & { readonly manifest: Manifest }> {
  const { changes } = settings
  const http = settings.http === undefined ? {} : { http: settings.http }
  await addMedia(workspaces, images, output)
  const to = { output, cache, folder: functionFolder, isDataOnly }
  const roots: RootWorkspace[] = []
  for (const site of workspaces) roots.push(await writeWorkspace(site, to, now))
  // The document is stored as data, so that the function does not need the code that generates it.
  const openapi = jsonFile('openapi', siteOpenApi(workspaces, settings))
  await addData(output, openapi)
  const head = { schema, build: '', openapi: openapi.name, ...http }
  const served = await openAdded({ ...head, workspaces: roots }, output)
  if (!isDataOnly) await addFiles(workspaces, served, openapi, output, settings, now)
  // The build's id and the changes between builds are public, so neither depends on drafts.
  const identity = JSON.stringify([openapi.name, roots, ...Object.values(http)])
  const build = buildId(output.files, identity)
  for (const [at, site] of workspaces.entries())
    roots[at] = await withDrafts(roots[at] as RootWorkspace, site, to)
  const compared = [changes ? served : undefined, isDataOnly ? [] : workspaces] as const
  const { steps, ...differences } = await compareWithLast(output.path, build, ...compared, now)
  const past: { steps?: string } = {}
  if (changes) {
    const planned = planChanges(isDataOnly ? [] : workspaces, settings.precompute.versions)
    await addChanges(output, planned, build, steps, now)
    if (steps.length > 0) {
      const file = jsonFile('steps', steps)
      await addData(output, file)
      past.steps = file.name
    }
  }
  if (settings.browser && !isDataOnly) await addPublicView(workspaces, openapi, to, now)
  const bytes = () => encodeRoot({ ...head, build, workspaces: roots, ...past })
  await output.add({ bytes, paths: [`${functionFolder}/${rootName}`] })
  return { manifest: manifestOf(build, workspaces, roots, output, http), ...differences }
}

/** Opens the files that were added, as a function does. */
function openAdded(root: Root, output: Output): Promise<ServedSite> {
  const bytes = encodeRoot(root)
  const fileOf = (name: string) => output.fileOf(`${functionFolder}/${name}`)
  return openBuild({
    read: (name, from, to) => (name === rootName ? bytes : readRange(fileOf(name), from, to)),
  })
}

/** Adds the response to every canonical request, the explorer and the description of the interface. */
async function addFiles(
  models: readonly Workspace[],
  served: ServedSite,
  openapi: SnapshotFile,
  output: Output,
  { precompute, browser }: Settings,
  now: number,
): Promise<void> {
  let count = 0
  for await (const { snapshot, files } of planSite(models, served, precompute, now)) {
    const shown = { v1: snapshotAt(snapshot, now, 'v1'), v2: snapshotAt(snapshot, now, 'v2') }
    // Reads each part once, not once for each post, in bounded memory.
    for (let from = 0; from < snapshot.postCount; from += 1000)
      await readPosts([...snapshot.shown.slice(from, from + 1000)], snapshot)
    for (const { request, paths } of files) {
      const current = shown[request.version]
      const { status, body } = await respond(request, current, now)
      if (status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
      const etag = await etagOf(body, current)
      await output.add({ bytes: () => bodyBytes(body, current), etag, paths })
      if (count++ % 256 === 255) await turn()
    }
  }
  const page = () => explorerPage('static', models, browser)
  await output.add({ bytes: page, paths: [`${publicFolder}/index.html`] })
  await output.add({ bytes: openapi.make, paths: [`${publicFolder}/openapi.json`] })
}

async function addMedia(
  workspaces: readonly SiteWorkspace[],
  images: ImageFiles,
  output: Output,
): Promise<void> {
  for (const file of workspaces.flatMap(({ media }) => media)) {
    const path = `${publicFolder}/${file.path}`
    if (output.files.has(path)) continue
    await output.add({ bytes: () => images.read(file), etag: `"${file.sha256}"`, paths: [path] })
  }
}

function manifestOf(
  build: string,
  models: readonly Workspace[],
  roots: readonly RootWorkspace[],
  { files }: Output,
  http: { readonly http?: HttpSettings },
): Manifest {
  const workspaces = Object.fromEntries(
    roots.map((root, at) => [root.id, countsOf(models[at] as Workspace, root)]),
  )
  const instants = roots.flatMap(rowsInRoot).map((rows) => rows.instants)
  const from = instants.map(([last = 0]) => last)
  const until = instants.flatMap(([, next]) => next ?? [])
  const period = periodOf([Math.max(0, ...from), ...until.sort((a, b) => a - b)])
  return makeManifest({ build, ...period, ...http, workspaces, files })
}

/** @param instants the instants in the root */
function periodOf([last = 0, next]: RootWorkspace['instants']) {
  const isoDate = (time: number) => new Date(time).toISOString()
  return {
    validFrom: last === 0 ? null : isoDate(last),
    validUntil: next === undefined ? null : isoDate(next),
  }
}

function countsOf(
  { name, settings, posts, categories, tags, authors, fields, ...workspace }: Workspace,
  { scheduled, expiring, instants, collections = [] }: RootWorkspace,
): WorkspaceCounts {
  const names = fieldParameters(indexedFields(fields)).map((parameter) => parameter.name)
  const own = collections.map(({ name, scheduled, expiring }) => {
    const model = workspace.collections.find(({ collection }) => collection?.name === name)
    const items = model?.posts.slice(scheduled) ?? []
    const moved = items.flatMap(({ post, aliases: from }) =>
      from.map((alias) => [alias, post.slug] as const),
    )
    const aliases = moved.length === 0 ? undefined : Object.fromEntries(moved)
    return [name, { items: items.length, scheduled, expiring, aliases }] as const
  })
  return {
    name,
    posts: posts.length - scheduled,
    scheduled,
    expiring,
    createsTerms: settings.references === 'create',
    ...periodOf(instants),
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
    fields: names.length === 0 ? undefined : names,
    locale: workspace.language?.locale,
    collections: own.length === 0 ? undefined : Object.fromEntries(own),
  }
}
