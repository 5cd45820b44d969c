// A site in memory in the form that the runtime serves, without writing it.
import { openApiJson } from '../api/openapi.ts'
import { visibilityAt } from '../api/visibility.ts'
import type { Scan } from '../content/scan.ts'
import { indexedFields } from '../model/indexed-fields.ts'
import type { ServedSite, ServedWorkspace } from '../runtime/site.ts'
import type { Site } from './site.ts'

/** A site without workspaces. @param scan the scan that could not be loaded */
export function emptySite(scan: Scan, limitAll: boolean): ServedSite {
  return servedSite({ workspaces: [] }, scan, { now: 0, limitAll })
}

/**
 * Converts a site for the runtime.
 *
 * @param scan the source of the site; it determines the build's id
 * @param now milliseconds since 1970
 */
export function servedSite(
  site: Pick<Site, 'workspaces'>,
  scan: Scan,
  { now, limitAll }: { readonly now: number; readonly limitAll: boolean },
): ServedSite {
  const build = scan.fingerprint.slice(0, 16)
  const workspaces = new Map<string, ServedWorkspace>()
  for (const { workspace, snapshot, preview } of site.workspaces) {
    const scheduled = visibilityAt(snapshot, now).first
    const { id, isV1Private } = workspace
    const history = () => ({ workspace: id, build, scheduled, steps: [] })
    const fields = indexedFields(workspace.fields)
    workspaces.set(id, {
      open: () => ({ ...snapshot, history }),
      openDrafts: () => ({ ...(preview ?? { snapshot }).snapshot, history }),
      isV1Private,
      fields,
      scheduled,
    })
  }
  const keys = site.workspaces.flatMap(({ workspace }) => workspace.keys)
  const openapi = openApiJson({ limitAll })
  return { build, openapi, limitAll, workspaces, keys, steps: () => [] }
}
