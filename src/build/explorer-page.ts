// The page of the explorer, and its data.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openApiDocument } from '../api/openapi.ts'
import type { TermKind } from '../api/resources.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { Workspace } from '../model/library.ts'
import { siteOpenApi } from '../model/shapes.ts'

/** The data of a site that a page contains. */
export interface PageSite {
  /** `dev` follows builds and shows the content; `static` shows only the reference. */
  readonly mode: 'static' | 'dev'
  /** Suggested workspace ids. The workspace with the most posts is first. */
  readonly workspaces: readonly string[]
  /** True if the site has a function for browsers, which responds on hosts without a function. */
  readonly browser?: true
  /** Paths and schemas of fields and collections, by workspace, if `openapi.json` does not contain them. */
  readonly own?: Readonly<Record<string, Readonly<Record<'paths' | 'schemas', Members>>>>
}

type Members = Readonly<Record<string, unknown>>

/** An event for a dev page. */
export type DevEvent =
  | {
      readonly type: 'built'
      readonly build: string
      readonly milliseconds: number
      /** Only warnings. */
      readonly diagnostics: readonly Diagnostic[]
    }
  /** The last good responses are still served. */
  | { readonly type: 'broken'; readonly diagnostics: readonly Diagnostic[] }

/** The JSON of the content view: the absolute path of the working folder, with `/`, and workspaces sorted by id. */
export interface ContentView {
  readonly root: string
  /** The time that `dev --now` fixes, in milliseconds since 1970. @default the clock */
  readonly now?: number | undefined
  readonly workspaces: readonly ViewedWorkspace[]
}

/** A workspace and its posts: drafts by file name, then other posts, latest first. */
export interface ViewedWorkspace
  extends Pick<Workspace, 'id' | 'name' | 'isV1Private'>,
    Readonly<Record<TermKind, number>> {
  readonly posts: readonly ViewedPost[]
}

/** A post, which is scheduled if its date is in the future. A draft has no category, and may have no date. */
export interface ViewedPost {
  readonly title: string
  readonly isDraft: boolean
  readonly slug: string
  readonly publishedAt: string | null
  readonly category: string | null
  /** Path below the working folder. */
  readonly file: string
}

/**
 * Returns the page as HTML in UTF-8; the same bytes for the same names and version. It names only workspaces that
 * are public in v1.
 *
 * @throws Error if the package was not compiled
 */
export function explorerPage(
  mode: PageSite['mode'],
  workspaces: readonly PageWorkspace[],
  browser = false,
): Uint8Array {
  const html = readFileSync(createRequire(import.meta.url).resolve('#explorer-page'), 'utf8')
  // The page opens with the largest one.
  const open = workspaces
    .filter(({ isV1Private }) => !isV1Private)
    .sort((one, other) => other.posts.length - one.posts.length)
  const own = open.length > 1 ? ownApis(open) : {}
  const site: PageSite = {
    mode,
    workspaces: open.map(({ id }) => id),
    ...(browser && { browser }),
    ...(Object.keys(own).length > 0 && { own }),
  }
  // `</script>` and `<!--` in a name must not end the element that it is in.
  const json = JSON.stringify(site).replaceAll('<', '\\u003c')
  const page = html.replace(placeholder, () => `${opening}${json}`)
  const policy = browser ? page.replace('script-src ', "script-src 'self' ") : page
  return new TextEncoder().encode(policy)
}

/** The properties of a workspace that a page depends on. */
type PageWorkspace = Pick<
  Workspace,
  'id' | 'isV1Private' | 'posts' | 'fields' | 'collections' | 'settings'
>

/** Returns the differences between the OpenAPI document of each workspace and the one of the site. */
function ownApis(workspaces: readonly PageWorkspace[]): NonNullable<PageSite['own']> {
  const site = openApiDocument()
  const apis = workspaces.map((workspace) => {
    const { paths, components } = siteOpenApi([workspace], {})
    const schemas = differences(components.schemas, site.components.schemas)
    return [workspace.id, { paths: differences(paths, site.paths), schemas }] as const
  })
  return Object.fromEntries(apis.filter(([, { paths }]) => Object.keys(paths).length > 0))
}

function differences(own: Members, site: Members): Members {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(site[name])
  return Object.fromEntries(Object.entries(own).filter(isOther))
}

const opening = '<script type="application/json" id="site">'
const placeholder = `${opening}{}`
