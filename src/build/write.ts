// Writes the files of a site: images, the function's files, the responses to canonical requests, and the root. Responses
// are made from the snapshots as a function reads them.
import { setImmediate as turn } from 'node:timers/promises'
import { bodyBytes, etagOf } from '../api/api-response.ts'
import { undated } from '../api/dates.ts'
import { fieldParameters } from '../api/parameter-values.ts'
import { publicFolder } from '../api/paths.ts'
import { respond } from '../api/respond.ts'
import { withTranslations } from '../api/targets.ts'
import { visibilityAt } from '../api/visibility.ts'
import type { Settings } from '../config.ts'
import { indexedFields } from '../model/custom-fields.ts'
import { instantsOfTranslations, type Workspace } from '../model/library.ts'
import { siteOpenApi } from '../model/shapes.ts'
import {
  encodeRoot,
  functionFolder,
  type HttpSettings,
  type RootWorkspace,
  rootName,
  schema,
} from '../snapshot/format.ts'
import { jsonFile } from '../snapshot/write.ts'
import { sha256 } from './disk.ts'
import { explorerPage } from './explorer-page.ts'
import { type BuiltWorkspace, changesUpTo } from './history.ts'
import { buildId, type Manifest, makeManifest, type WorkspaceCounts } from './manifest.ts'
import type { Output } from './output.ts'
import { planWorkspace } from './plan.ts'
import type { Site, SiteWorkspace } from './site.ts'
import { addData, addPublicView, addSnapshot, inputOf, rootOf } from './snapshots.ts'

interface BuiltSite extends BuiltWorkspace {
  readonly workspace: Workspace
  /** Name of its index. */
  readonly index: string
  readonly collections: readonly BuiltSite[]
}

/** Adds every file of a site to the output, the manifest excepted. @param now milliseconds since 1970 */
export async function writeSite(
  { workspaces, cache }: Site,
  output: Output,
  settings: Settings,
  now: number,
): Promise<Manifest> {
  const { limitAll, changes } = settings
  const http = settings.http === undefined ? {} : { http: settings.http }
  await addMedia(workspaces, output)
  const write = async (site: SiteWorkspace): Promise<BuiltSite> => {
    const collections: BuiltSite[] = []
    for (const collection of site.collections) collections.push(await write(collection))
    const { bodyOf, workspace } = site
    const { id, isV1Private, posts } = workspace
    const scheduled = posts.filter(({ publishedAt }) => publishedAt > now).length
    const input = inputOf(workspace, posts.map(bodyOf), scheduled, site.assets())
    const { index, snapshot } = await addSnapshot(input, output, cache)
    const spaces = new Map(
      collections.flatMap(({ workspace: { collection }, snapshot: own }) =>
        collection?.kind === 'items' ? [[collection.name, () => own] as const] : [],
      ),
    )
    const whole = { ...snapshot, spaces }
    const { kind, name } = workspace.collection ?? { kind: 'posts', name: '' }
    const named = kind === 'items' ? `collections/${name}` : kind
    return {
      id,
      isV1Private,
      workspace,
      kind: named,
      scheduled,
      collections,
      index,
      snapshot: whole,
    }
  }
  const built: BuiltSite[] = []
  for (const site of workspaces) built.push(await write(site))
  // Stored as data, so that the function does not need the code that generates it.
  const document = siteOpenApi(
    built.map(({ workspace }) => workspace),
    settings,
  )
  const openapi = jsonFile('openapi', document, sha256)
  await addData(output, openapi)
  for (const site of built.flatMap((each) => [...each.collections, each])) {
    await addResponses(site, output, settings, now)
  }
  const page = () =>
    explorerPage(
      'static',
      built.map(({ workspace }) => workspace),
      settings.browser,
    )
  await output.add({ bytes: page, paths: [`${publicFolder}/index.html`] })
  await output.add({ bytes: openapi.make, paths: [`${publicFolder}/openapi.json`] })
  // The build's id and the changes between builds are public, so neither depends on drafts.
  const roots = built.map(({ workspace, scheduled, index, collections }) => {
    const own = collections.map((each) => [each.workspace, each.scheduled, each.index] as const)
    return rootOf(workspace, scheduled, index, own, now)
  })
  const identity = JSON.stringify([openapi.name, limitAll, roots, ...Object.values(http)])
  const build = buildId(output.files, identity)
  const draftIndexOf = async ({ preview, bodyOf }: SiteWorkspace) => {
    if (preview === null) return {}
    const input = inputOf(preview, preview.posts.map(bodyOf), 0, { media: [], fields: [] })
    return { draftIndex: (await addSnapshot(input, output, cache)).index }
  }
  for (const [at, site] of workspaces.entries()) {
    const drafts: (readonly [string, { readonly draftIndex?: string }])[] = []
    for (const each of site.collections) {
      drafts.push([each.workspace.collection?.name ?? '', await draftIndexOf(each)])
    }
    roots[at] = withDraftIndexes(
      roots[at] as RootWorkspace,
      await draftIndexOf(site),
      new Map(drafts),
    )
  }
  const past: { steps?: string } = {}
  if (changes) {
    const { responses, steps } = await changesUpTo(build, output.path, built, {
      ...settings.precompute,
      now,
    })
    for (const response of responses) await output.add(response)
    if (steps.length > 0) {
      const file = jsonFile('steps', steps, sha256)
      await addData(output, file)
      past.steps = file.name
    }
  }
  if (settings.browser) await addPublicView(workspaces, openapi, output, cache, { limitAll, now })
  const head = {
    schema,
    build,
    openapi: openapi.name,
    limitAll,
    ...http,
    workspaces: roots,
    ...past,
  }
  const bytes = () => encodeRoot(head, sha256)
  await output.add({ bytes, paths: [`${functionFolder}/${rootName}`] })
  return manifestOf(build, built, roots, output, { ...http, now })
}

function withDraftIndexes(
  root: RootWorkspace,
  own: { readonly draftIndex?: string },
  ofCollections: ReadonlyMap<string, { readonly draftIndex?: string }>,
): RootWorkspace {
  const collections = root.collections?.map((each) => ({
    ...each,
    ...ofCollections.get(each.name),
  }))
  return { ...root, ...own, ...(collections === undefined ? {} : { collections }) }
}

/** Adds the response to every canonical request of a workspace. */
async function addResponses(
  { workspace, snapshot }: BuiltSite,
  output: Output,
  { precompute }: Settings,
  now: number,
): Promise<void> {
  const shown = {
    v1: withTranslations(snapshot, now, 'v1'),
    v2: withTranslations(snapshot, now, 'v2'),
  }
  let count = 0
  for (const { request, paths } of planWorkspace(workspace, snapshot, precompute, now)) {
    const current = shown[request.version]
    const { status, body } = await respond(request, current, now)
    if (status !== 200) throw new Error(`a planned request failed: ${paths[0]}`)
    const etag = await etagOf(body, current, sha256)
    await output.add({ bytes: () => bodyBytes(body, current), etag, paths })
    if (count++ % 256 === 255) await turn()
  }
}

async function addMedia(workspaces: readonly SiteWorkspace[], output: Output): Promise<void> {
  const added = new Set<string>()
  for (const { media, readMedia } of workspaces) {
    for (const file of media) {
      if (added.has(file.path)) continue
      added.add(file.path)
      const paths = [`${publicFolder}/${file.path}`]
      await output.add({ bytes: () => readMedia(file), etag: `"${file.sha256}"`, paths })
    }
  }
}

function manifestOf(
  build: string,
  built: readonly BuiltSite[],
  roots: readonly RootWorkspace[],
  { files }: Output,
  { now, ...http }: { readonly now: number; readonly http?: HttpSettings },
): Manifest {
  const workspaces = Object.fromEntries(
    built.map((site, at) => [site.id, countsOf(site, now, roots[at])]),
  )
  const counts = built.flatMap((site) =>
    [site, ...site.collections].map((one) => countsOf(one, now)),
  )
  // Dates in this form are in the order of their text.
  const from = counts.flatMap(({ validFrom }) => validFrom ?? []).sort()
  const until = counts.flatMap(({ validUntil }) => validUntil ?? []).sort()
  const period = { validFrom: from.at(-1) ?? null, validUntil: until[0] ?? null }
  return makeManifest({ build, ...period, ...http, workspaces, files })
}

/** @param root absent for a collection */
function countsOf(
  { workspace, snapshot, collections }: BuiltSite,
  now: number,
  root?: RootWorkspace,
): WorkspaceCounts {
  const { name, createsTerms, posts, categories, tags, authors, fields, lastExpiry } = workspace
  const { first, validFrom, validUntil } = visibilityAt(snapshot, now)
  const next = instantsOfTranslations(workspace).find((instant) => instant > now)
  const from = lastExpiry === 0 ? validFrom : Math.max(validFrom, lastExpiry)
  const expiring = root?.expiring ?? 0
  const names = fieldParameters(indexedFields(fields)).map((parameter) => parameter.name)
  const isoDate = (time: number) =>
    Math.abs(time) < -undated ? new Date(time).toISOString() : null
  const own = collections.flatMap(({ workspace: { collection, posts: items }, scheduled }) => {
    if (collection?.kind !== 'items') return []
    const known = root?.collections?.find((each) => each.name === collection.name)
    const expiring = known?.expiring === undefined ? {} : { expiring: known.expiring }
    const moved = items
      .slice(scheduled)
      .flatMap(({ post, aliases: from }) => from.map((alias) => [alias, post.slug] as const))
    const aliases = moved.length === 0 ? {} : { aliases: Object.fromEntries(moved) }
    const count = { items: items.length - scheduled, scheduled }
    return [[collection.name, { ...count, ...expiring, ...aliases }]]
  })
  return {
    name,
    posts: posts.length - first,
    scheduled: first,
    ...(expiring === 0 ? {} : { expiring }),
    createsTerms,
    validFrom: isoDate(from),
    validUntil: isoDate(Math.min(validUntil, next ?? validUntil)),
    categories: categories.length,
    tags: tags.length,
    authors: authors.length,
    ...(names.length === 0 ? {} : { fields: names }),
    ...(workspace.language === null ? {} : { locale: workspace.language.locale }),
    ...(own.length === 0 ? {} : { collections: Object.fromEntries(own) }),
  }
}
