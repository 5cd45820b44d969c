// Files of posts under their old slugs, for hosts that cannot redirect.
import { filePath, requestOfFile, versionRoots } from '../api/paths.ts'
import { defaultParameters, formats } from '../api/request.ts'
import type { Manifest } from '../emit/manifest.ts'
import type { DataFile } from './deployment.ts'
import { readBuilt } from './stored-responses.ts'

/** The body of a `redirects` response. */
interface Redirects {
  readonly redirects: readonly { readonly from: string; readonly to: string }[]
}

/**
 * The v1 files that a host serves under aliases. Each `path` is the post's file, each `name` the alias's.
 *
 * @throws OutputError when another build has replaced the manifest's
 */
export function aliasFiles(out: string, manifest: Manifest): readonly DataFile[] {
  return [...manifest.files].flatMap(([path, entry]) => {
    const request = path.startsWith(`${versionRoots.v1}/`) ? requestOfFile(path) : null
    if (request?.resource !== 'redirects') return []
    const bytes = readBuilt(out, { path, name: '', entry })
    const { redirects }: Redirects = JSON.parse(Buffer.from(bytes).toString())
    return redirects.flatMap((redirect) => filesOf(redirect, request.workspace, manifest))
  })
}

/** Returns one file per format in which the post exists. */
function filesOf(
  { from, to }: Redirects['redirects'][number],
  workspace: string,
  { files }: Manifest,
): readonly DataFile[] {
  return formats.flatMap((format) => {
    const pathOf = (identifier: string) => {
      const parameters = { ...defaultParameters, format }
      const target = {
        version: 'v1',
        workspace,
        resource: 'posts',
        identifier,
        parameters,
      } as const
      return filePath(target) ?? ''
    }
    const path = pathOf(to)
    const entry = files.get(path)
    return entry === undefined ? [] : [{ path, name: pathOf(from).slice('public/'.length), entry }]
  })
}
