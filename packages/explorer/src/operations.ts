// The operations of an OpenAPI document as the page needs them: groups, and fields with their kinds.
// Pure: knows neither the page nor the network.

/** An operation and what it takes. */
export interface ApiOperation {
  readonly id: string
  readonly version: string
  /** The kind of resource: `posts`. */
  readonly group: string
  readonly summary: string
  /** With `{workspaceId}` and `{identifier}` in it. */
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
  /** Several values, with commas between them. */
  readonly isList: boolean
}

/** How a parameter is filled in. */
export type FieldKind =
  | { readonly type: 'text' | 'number' | 'flag' | 'workspace' }
  /** One of some words, or several with commas between them. */
  | { readonly type: 'choice' | 'choices'; readonly options: readonly string[] }
  /** One of a kind of resource, by its slug. */
  | { readonly type: 'identifier'; readonly of: string }
  /** Slugs with commas between them. */
  | { readonly type: 'slugs'; readonly of: string }

/** A status, and the schema of its body. */
export interface ApiResponse {
  readonly status: string
  readonly description: string
  readonly schema: Schema | null
}

/** A JSON Schema, as far as the page reads it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: string | number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

/** An OpenAPI document, as far as the page reads it. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string }
  readonly paths: Readonly<Record<string, { readonly get?: OpenApiOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly description: string
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

/** Every operation, in the order of the document. */
export function readOperations({ paths }: OpenApi): readonly ApiOperation[] {
  return Object.entries(paths).flatMap(([template, { get }]) =>
    get === undefined ? [] : [readOperation(template, get)],
  )
}

/** The same operation in another version; null where there is none. */
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

/** A schema with its reference followed. */
export function resolveSchema(schema: Schema, { components }: OpenApi): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? {})
}

function readOperation(template: string, get: OpenApiOperation): ApiOperation {
  const group = template.split('/').findLast((part) => /^[\w.-]+$/.test(part)) ?? ''
  return {
    id: get.operationId,
    version: template.split('/')[1] ?? '',
    group,
    summary: get.summary,
    template,
    needsKey: (get.security ?? []).length > 0,
    fields: get.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      isRequired: parameter.required,
      description: parameter.description,
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

function kindOf(name: string, schema: Schema, group: string): FieldKind {
  if (name === 'workspaceId') return { type: 'workspace' }
  if (name === 'identifier') return { type: 'identifier', of: group }
  const of = /^(?:exclude)?(categories|tags|authors)$/i.exec(name)?.[1]?.toLowerCase()
  if (of !== undefined) return { type: 'slugs', of }
  if (schema.type === 'boolean') return { type: 'flag' }
  const options = schema.enum ?? schema.items?.enum
  const isMany = schema.type === 'array' && options !== undefined && options.length > 1
  if (options !== undefined) return { type: isMany ? 'choices' : 'choice', options }
  return { type: schema.type === 'integer' ? 'number' : 'text' }
}
