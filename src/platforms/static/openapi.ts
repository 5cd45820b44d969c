// The OpenAPI document of a folder of files: only what is there, under the paths at which it is there.
import {
  type DescribedOperation,
  type OpenApiDocument,
  openApiDocument,
} from '../../api/openapi.ts'
import { filePath, requestOfFile, versionRoots } from '../../api/paths.ts'
import { type ApiRequest, includesPosts } from '../../api/request.ts'
import type { Schema } from '../../api/schemas.ts'
import type { Manifest } from '../../emit/manifest.ts'

/** An OpenAPI 3.1 document with one path for each form of file that a build wrote under v1. */
export function staticOpenApi({ files }: Pick<Manifest, 'files'>): OpenApiDocument {
  const forms = new Map<string, ApiRequest>()
  for (const path of files.keys()) {
    const request = requestOfFile(path)
    if (request?.version !== 'v1') continue
    const template = templateOf(request)
    if (!forms.has(template)) forms.set(template, request)
  }
  const { openapi, info, tags, paths, components } = openApiDocument()
  const { ErrorV2, ...schemas } = components.schemas
  const sorted = [...forms].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    openapi,
    info: { ...info, description },
    servers: [{ url: '.' }],
    tags,
    paths: Object.fromEntries(
      sorted.map(([template, { resource, identifier }]) => {
        const single = identifier === null ? '' : '/{identifier}'
        const described = paths[`/v1/{workspaceId}/${resource}${single}`]
        if (described === undefined) throw new Error(`${template} belongs to no operation`)
        return [template, { get: describe(template, described.get) }]
      }),
    ),
    components: { schemas },
  }
}

const description =
  'Posts, authors, categories and tags as files; a query is ignored. In a file name `_` is added to an identifier that is `index` or ends in `.json`.'

/** The path of a file, with `{workspaceId}`, `{identifier}` and `{page}` in it. */
function templateOf(request: ApiRequest): string {
  const { identifier, parameters } = request
  const hasPage = includesPosts(parameters) || parameters.page > 1
  const form: ApiRequest = {
    ...request,
    workspace: '{workspaceId}',
    identifier: identifier === null ? null : '{identifier}',
    parameters: { ...parameters, page: hasPage ? 2 : 1 },
  }
  const path = (filePath(form) ?? '').slice(versionRoots.v1.length - '/v1'.length)
  return hasPage ? path.replace(/2\.json$/, '{page}.json') : path
}

function describe(
  template: string,
  { summary, description, tags, responses, parameters }: DescribedOperation,
): DescribedOperation {
  const inPath = parameters.filter((parameter) => parameter['in'] === 'path')
  const kept = Object.entries(responses).filter(([status]) => status === '200' || status === '404')
  return {
    operationId: operationId(template),
    summary,
    description,
    tags,
    security: [],
    parameters: template.includes('{page}') ? [...inPath, pageParameter] : inPath,
    responses: Object.fromEntries(kept),
  }
}

/** The words of a path: `/v1/{workspaceId}/posts/_page/{page}.json` is `getV1WorkspaceIdPostsPagePageJson`. */
function operationId(template: string): string {
  const words = template
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `get${words.join('')}`
}

const pageParameter: Schema = {
  name: 'page',
  in: 'path',
  required: true,
  description: 'The page, up to `pagination.totalPages`.',
  schema: { type: 'integer', minimum: 1 },
}
