// The OpenAPI document of one workspace: its paths, and custom fields with types.

import { fieldParameters } from '../api/field-parameters.ts'
import { type OpenApiDocument, type OpenApiOptions, openApiDocument } from '../api/openapi.ts'
import { typeOf as typeOfParameter } from '../api/parameter-table.ts'
import { defaultParameters } from '../api/request.ts'
import { derivedNames } from '../api/resources.ts'
import type { Schema } from '../api/schemas.ts'
import { type FieldDefinition, indexedFields } from './custom-fields.ts'
import type { Workspace } from './library.ts'
import type { WorkspaceSettings } from './settings.ts'
import type { WorkspaceShape } from './shape.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** Returns an OpenAPI 3.1 document of what a client of this workspace can read. */
export function workspaceOpenApi(
  { id, settings }: WorkspaceShape,
  options: OpenApiOptions,
): OpenApiDocument {
  const document = openApiDocument(options)
  const paths = Object.entries(document.paths)
    .filter(([path]) => settings.v1 !== 'private' || !path.startsWith('/v1/'))
    .map(([path, { get }]) => {
      const own = get.parameters.filter(({ name }) => name !== 'workspaceId')
      const name = path.replace('{workspaceId}', encodeURIComponent(id))
      const parameters = withFields(path, own, settings.fields)
      return [name, { get: { ...get, parameters } }] as const
    })
  return {
    ...document,
    info: { ...document.info, title: settings.name ?? id },
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      schemas: schemasOf(document.components.schemas, settings),
    },
  }
}

/**
 * Returns the OpenAPI 3.1 document of a site. With one public workspace it has the custom fields of that one. They depend
 * on no other workspace, so that the document reveals none.
 */
export function siteOpenApi(
  workspaces: readonly Pick<Workspace, 'isV1Private' | 'fields'>[],
  options: OpenApiOptions,
): OpenApiDocument {
  const document = openApiDocument(options)
  const [only, ...others] = workspaces.filter(({ isV1Private }) => !isV1Private)
  if (only === undefined || others.length > 0 || only.fields.length === 0) return document
  const { schemas } = document.components
  const properties = Object.fromEntries(only.fields.map((field) => [field.name, schemaOf(field)]))
  const paths = Object.entries(document.paths).map(([path, { get }]) => {
    const parameters = withFields(path, get.parameters, only.fields)
    return [path, { get: { ...get, parameters } }] as const
  })
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      schemas: { ...schemas, CustomFields: { ...schemas['CustomFields'], properties } },
    },
  }
}

/** Adds the filters and orders by custom fields to the parameters of an operation, if it lists posts. */
function withFields(
  path: string,
  given: readonly Schema[],
  defined: readonly FieldDefinition[],
): readonly Schema[] {
  if (!path.endsWith('/posts')) return given
  const fields = indexedFields(defined)
  const orders = {
    ...typeOfParameter('orderBy', 'posts', true, fields).schema,
    default: defaultParameters.orderBy,
  }
  return [
    ...given.map((one) => (one['name'] === 'orderBy' ? { ...one, schema: orders } : one)),
    ...fieldParameters(fields).map(({ name, description, type }) => ({
      ...{ name, in: 'query', required: false, description },
      ...(type.isList ? { style: 'form', explode: false } : {}),
      schema: type.schema,
    })),
  ]
}

/** Restricts posts to the custom fields and the computed values of the workspace. */
function schemasOf(
  schemas: Schemas,
  { fields: defined, derived: names }: WorkspaceSettings,
): Schemas {
  const { CustomFields, Derived = {}, Post = {}, ...others } = schemas
  const { derived, fields, ...properties } = Post['properties'] as Readonly<Record<string, Schema>>
  const own = [
    ...(defined.length > 0 ? [['fields', fields] as const] : []),
    ...(names.length > 0 ? [['derived', derived] as const] : []),
  ]
  const keys = derivedNames
    .filter((name) => names.includes(name))
    .map((name) => (name === 'readingTime' ? 'readingTimeSeconds' : name))
  const values = Derived['properties'] as Readonly<Record<string, Schema>>
  const customFields = {
    type: 'object',
    description: CustomFields?.['description'],
    properties: Object.fromEntries(defined.map((field) => [field.name, schemaOf(field)])),
    required: defined.map(({ name }) => name),
    additionalProperties: false,
  }
  return {
    ...others,
    Post: {
      ...Post,
      properties: { ...properties, ...Object.fromEntries(own) },
      required: [...(Post['required'] as readonly string[]), ...own.map(([name]) => name)],
    },
    ...(defined.length > 0 ? { CustomFields: customFields } : {}),
    ...(names.length > 0
      ? {
          Derived: {
            ...Derived,
            properties: Object.fromEntries(keys.map((key) => [key, values[key]])),
            required: keys,
          },
        }
      : {}),
  }
}

function schemaOf({ label, description, isRequired, default: given, ...field }: FieldDefinition) {
  const about = [label, description].filter((text) => text !== null).join(': ')
  const schema = { ...(about === '' ? {} : { description: about }), ...typeOf(field) }
  const isNullable = !isRequired && given === null
  return isNullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

function typeOf({ type, options }: Pick<FieldDefinition, 'type' | 'options'>): Schema {
  const text = { type: 'string', ...(options.length === 0 ? {} : { enum: options }) }
  if (type === 'number' || type === 'boolean') return { type }
  if (type === 'date') return { type: 'string', format: 'date-time' }
  return type === 'list' ? { type: 'array', items: text } : text
}
