// The operations of an OpenAPI document in the form of the page: groups, and fields with their kinds.
// Pure: does not use the page or the network.

/** An operation and its parameters. */
export interface ApiOperation {
  readonly id: string
  readonly version: string
  /** The kind of resource: `posts`, `collections/guides`, `feed.xml`. */
  readonly group: string
  readonly summary: string
  /** A description of one or two sentences. */
  readonly text: string
  /** The path, with `{workspaceId}` and `{identifier}`. */
  readonly template: string
  readonly needsKey: boolean
  readonly fields: readonly Field[]
  readonly responses: readonly ApiResponse[]
}

/** A parameter. */
export interface Field {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly isRequired: boolean
  readonly description: string
  /** The placeholder of an empty value; null for none. */
  readonly default: string | null
  readonly kind: FieldKind
  /** True for several values, separated by commas. */
  readonly isList: boolean
}

/** The input of a parameter. */
export type FieldKind =
  | { readonly type: 'text' | 'number' | 'flag' | 'date' | 'workspace' }
  /** One word of a list, or several, separated by commas. */
  | { readonly type: 'choice' | 'choices'; readonly options: readonly string[] }
  /** A slug of a kind of resource. */
  | { readonly type: 'identifier'; readonly of: string }
  /** Slugs, separated by commas. */
  | { readonly type: 'slugs'; readonly of: string }

/** A status, and the schema of its body. */
export interface ApiResponse {
  readonly status: string
  readonly description: string
  readonly schema: Schema | null
}

/** The parts of a JSON Schema that the page reads. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly default?: string | number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

/** The parts of an OpenAPI document that the page reads. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string }
  readonly paths: Readonly<Record<string, { readonly get?: OpenApiOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface OpenApiOperation {
  readonly operationId?: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
      }
    >
  >
}

/** Returns every operation, in the order of the document. Feeds and other documents come last. */
export function readOperations({ paths }: OpenApi): readonly ApiOperation[] {
  const isDocument = ({ group }: ApiOperation) => Number(/\.|^(redirects|changes)$/.test(group))
  return Object.entries(paths)
    .flatMap(([template, { get }]) => (get === undefined ? [] : [readOperation(template, get)]))
    .sort((one, other) => isDocument(one) - isDocument(other))
}

/** Returns the section of the form for a parameter, and whether the parameter is rare. */
export function sectionOf(name: string): readonly [section: string, isRare: boolean] {
  if (/^(query|match)$/.test(name)) return ['Search', false]
  if (/^(limit|page|order|orderBy)$/.test(name)) return ['Page', false]
  if (/^(format|excludeContent|select|include|strict)$/.test(name))
    return ['Output', name === 'strict']
  return ['Filter', /^exclude|Match$|^updated|^(slugs|ids)$|\[/.test(name)]
}

/** Returns the same operation in another version; null if there is none. */
export function counterpart(
  operations: readonly ApiOperation[],
  operation: ApiOperation,
  version: string,
): ApiOperation | null {
  const same = operations.filter(
    ({ version: other, group }) => other === version && group === operation.group,
  )
  return same.find(({ summary }) => summary === operation.summary) ?? null
}

/** Resolves the reference of a schema. */
export function resolveSchema(schema: Schema, { components }: OpenApi): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? {})
}

function readOperation(template: string, get: OpenApiOperation): ApiOperation {
  const path = template.replace(/^\/v\d(\/\{workspaceId\})?\//, '')
  const [group = ''] = path.split('/{')
  return {
    id: get.operationId ?? template.slice(1).replace('{workspaceId}/', ''),
    version: template.split('/')[1] ?? '',
    group,
    summary: get.summary,
    text: textOf(path, group),
    template,
    needsKey: (get.security ?? []).length > 0,
    fields: get.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      isRequired: parameter.required,
      description: parameter.description ?? '',
      default: parameter.schema.default?.toString() ?? null,
      kind: kindOf(parameter.name, parameter.schema, group),
      isList: parameter.schema.type === 'array',
    })),
    responses: Object.entries(get.responses).map(([status, { description, content }]) => ({
      status,
      description,
      schema: content?.['application/json']?.schema ?? null,
    })),
  }
}

function textOf(path: string, group: string): string {
  const isOne = path.endsWith('}')
  if (path.endsWith('.md'))
    return 'The Markdown of a post below its title, for readers and language models.'
  if (group.startsWith('collections/'))
    return isOne
      ? 'One item by its slug or id. Items have the fields that `workspace.yml` defines.'
      : 'The items of the collection. Its indexed fields are filters and orders.'
  return texts[isOne ? `${group}/` : group] ?? ''
}

const feed =
  'The latest posts, for feed readers. It needs an absolute `links.post` in the settings.'

const texts: Readonly<Record<string, string>> = {
  posts:
    'Posts, newest first, ten to a page. Filters are combined; `query` searches titles and texts.',
  'posts/': 'One post by its slug or id. `include` adds its neighbours and related posts.',
  categories: 'Categories by name, each with the number of its posts.',
  'categories/': 'One category by its slug or id. `include=posts` adds its posts.',
  tags: 'Tags by name, each with the number of their posts.',
  'tags/': 'One tag by its slug or id. `include=posts` adds its posts.',
  authors: 'Authors by name, with their biography, picture and links.',
  'authors/': 'One author by slug or id. `include=posts` adds the posts.',
  collections: 'The collections of the workspace, each with the number of its items.',
  'singletons/': 'One file of data, by its name in `workspace.yml`.',
  redirects: 'Old slugs with the posts that have them now, for the redirects of a site.',
  changes: 'The changes since a build, for caches and search indexes that follow the content.',
  'feed.xml': feed,
  'atom.xml': feed,
  'feed.json': feed,
  'sitemap.xml': 'The addresses of all posts. It needs an absolute `links.post` in the settings.',
  'llms.txt': 'The posts with their descriptions, as an index for language models.',
  'llms-full.txt': 'The texts of all posts in one file, for language models.',
}

function kindOf(name: string, schema: Schema, group: string): FieldKind {
  if (name === 'workspaceId') return { type: 'workspace' }
  if (name === 'identifier') return { type: 'identifier', of: group }
  const of = /^(?:exclude)?(categories|tags|authors)$/i.exec(name)?.[1]?.toLowerCase()
  if (of !== undefined) return { type: 'slugs', of }
  if (schema.type === 'boolean') return { type: 'flag' }
  if (/^(published|updated)(After|Before)$/.test(name)) return { type: 'date' }
  const options = schema.enum ?? schema.items?.enum ?? schema.items?.anyOf?.[0]?.enum
  const isMany = schema.type === 'array' && options !== undefined && options.length > 1
  if (options !== undefined) return { type: isMany ? 'choices' : 'choice', options }
  return { type: schema.type === 'integer' ? 'number' : 'text' }
}
