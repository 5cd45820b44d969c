// A site in memory as the function serves it: nothing is written for it.
import { openApiJson } from '../api/openapi.ts'
import { visibilityAt } from '../api/visibility.ts'
import type { Scan } from '../content/scan.ts'
import { indexedFields } from '../model/indexed-fields.ts'
import type { ServedSite, ServedWorkspace } from '../runtime/site.ts'
import type { Site } from './site.ts'

/** Nothing to be answered from yet: every workspace is unknown. @param scan what could not be made a site */
export function emptySite(scan: Scan, limitAll: boolean): ServedSite {
  return servedSite({ workspaces: [] }, scan, { now: 0, limitAll })
}

/**
 * A site to be answered from.
 *
 * @param scan what it was made of: it represents the build's id
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
