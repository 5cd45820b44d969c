// The page of the API: one file, made ready for a site.
// `packages/explorer` makes the page when the package is compiled.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Workspace } from '../model/library.ts'
import type { PageSite } from './page-data.ts'

/**
 * The page as HTML in UTF-8; the same bytes for the same names and version. It names the workspaces that v1
 * answers for, and no others.
 *
 * @throws Error when the package was not compiled
 */
export function explorerPage(
  mode: PageSite['mode'],
  workspaces: readonly Pick<Workspace, 'id' | 'isV1Private'>[],
): Uint8Array {
  const html = readFileSync(createRequire(import.meta.url).resolve('#explorer-page'), 'utf8')
  const open = workspaces.filter(({ isV1Private }) => !isV1Private).map(({ id }) => id)
  const site: PageSite = { mode, workspaces: open }
  // `</script>` and `<!--` in a name must not end the element that it is in.
  const json = JSON.stringify(site).replaceAll('<', '\\u003c')
  return new TextEncoder().encode(html.replace(placeholder, () => `${opening}${json}`))
}

const opening = '<script type="application/json" id="site">'
const placeholder = `${opening}{}`
