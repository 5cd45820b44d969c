// The OpenAPI document of a folder of files: only existing files, under their actual paths.

import { documentTable } from '../api/documents.ts'
import { type DescribedOperation, type OpenApiDocument, openApiDocument } from '../api/openapi.ts'
import { documentRequest, filePath, requestOfFile, versionRoots } from '../api/paths.ts'
import { type ApiRequest, includesPosts } from '../api/request.ts'
import type { Schema } from '../api/schemas.ts'
import type { Manifest } from '../emit/manifest.ts'

/** Returns an OpenAPI 3.1 document with one path per form of v1 file in the build. */
export function staticOpenApi({ files }: Pick<Manifest, 'files'>): OpenApiDocument {
  const forms = new Map<string, ApiRequest>()
  for (const path of files.keys()) {
    const request = requestOfFile(path)
    if (request?.version !== 'v1') continue
    const template = templateOf(request)
    if (!forms.has(template)) forms.set(template, request)
  }
  // The deployment adds redirects to every workspace.
  const redirects = documentRequest('v1', 'w', documentTable.redirects.file)
  if (forms.size > 0 && redirects !== null) forms.set(templateOf(redirects), redirects)
  const { openapi, info, tags, paths, components } = openApiDocument()
  const sorted = [...forms].sort(([a], [b]) => (a < b ? -1 : 1))
  const described = Object.fromEntries(
    sorted.map(([template, { resource, identifier }]) => {
      const single = identifier === null ? '' : '/{identifier}'
      const operation = paths[`/v1/{workspaceId}/${resource}${single}`]
      if (operation === undefined) throw new Error(`${template} belongs to no operation`)
      return [template, { get: describe(template, operation.get) }]
    }),
  )
  return {
    openapi,
    info: { ...info, description },
    servers: [{ url: '.' }],
    tags,
    paths: described,
    components: { schemas: usedSchemas(described, components.schemas) },
  }
}

/** Collects the schemas that paths reference, transitively. */
function usedSchemas(
  paths: OpenApiDocument['paths'],
  schemas: OpenApiDocument['components']['schemas'],
): OpenApiDocument['components']['schemas'] {
  const used = new Set<string>()
  const follow = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

const description =
  'Posts, authors, categories and tags as files; a query is ignored. In a file name `_` is added to an identifier that is `index` or ends in `.json`.'

/** The path of a file as a template with `{workspaceId}`, `{identifier}` and `{page}`. */
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
  return hasPage ? path.replace(/2(?=\.\w+$)/, '{page}') : path
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

/**
 * Derives the operation id from a path: `/v1/{workspaceId}/posts/_page/{page}.json` becomes
 * `getV1WorkspaceIdPostsPagePageJson`.
 */
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
