// The deployment to a host without a function: v1 responses as files.
import { redirectsJson } from '../../api/aliases.ts'
import { documentTable } from '../../api/documents.ts'
import { ApiError, errorJson } from '../../api/errors.ts'
import { versionRoots } from '../../api/paths.ts'
import type { Manifest } from '../../emit/manifest.ts'
import { type HostDeployment, jsonText } from '../deployment.ts'
import { objectsOf } from './objects.ts'
import { staticOpenApi } from './openapi.ts'

const folder = 'public'

const data = { form: 'responses', folder } as const
const media = `${folder}/media`

/** The response for every path without a file, under the names that hosts look for. */
const notFound = errorJson('v1', new ApiError(404, 'There is no such file.'))

/** The other files of a bucket and their keys. */
const others: Readonly<Record<string, string>> = {
  [`${folder}/openapi.json`]: 'openapi.json',
  [`${folder}/status.json`]: 'status',
  [`${folder}/404.json`]: '404.json',
}

/** Files of redirects that a build omits, because no post has an alias: `v1/acme/redirects.json`. */
function missingRedirects({ workspaces, files }: Manifest): readonly string[] {
  const roots = new Set([...files.keys()].map((path) => path.split('/', 3).join('/')))
  return Object.keys(workspaces)
    .filter((id) => roots.has(`${versionRoots.v1}/${id}`))
    .filter((id) => !files.has(`${versionRoots.v1}/${id}/${documentTable.redirects.file}`))
    .map((id) => `v1/${id}/${documentTable.redirects.file}`)
}

/** For GitHub Pages, S3 and other file servers. */
export const staticDeployment: HostDeployment = {
  folder: 'deploy/static',
  program: null,
  data,
  media,
  responses: null,
  texts: {
    // Without it, GitHub Pages omits names that begin with `_`.
    [`${folder}/.nojekyll`]: '',
    [`${folder}/404.html`]: notFound,
    [`${folder}/404.json`]: notFound,
  },
  textsOf: (manifest, aliases = []) => {
    const redirects = missingRedirects(manifest)
    const named = redirects.map((path) => [`${folder}/${path}`, path.replace(/\.json$/, '')])
    const texts = { ...others, ...Object.fromEntries(named) }
    const objects = objectsOf({ data, media }, manifest, { folder, aliases, texts })
    return {
      ...Object.fromEntries(redirects.map((path) => [`${folder}/${path}`, redirectsJson([], 0)])),
      [`${folder}/openapi.json`]: jsonText(staticOpenApi(manifest)),
      [`${folder}/status.json`]: jsonText({ status: 'ok', build: manifest.build }),
      'objects.json': `${JSON.stringify(objects, null, 1)}\n`,
    }
  },
  next: 'upload what is in deploy/static/public, dot-files too',
  cannot: [
    'filter or search: a query is ignored, and the lists that `precompute.lists` names have paths of their own',
    'check keys: v2 and closed workspaces are not there',
    'limit request rates',
    'show a scheduled post when it is due: build and upload again then',
    'set the cache times, ETags, statuses and CORS headers of the service: the host has its own',
  ],
}
