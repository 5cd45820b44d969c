// The OpenAPI document of one workspace: its paths, custom fields with types, and slugs as examples.

import { fieldParameters } from '../api/field-parameters.ts'
import { type OpenApiDocument, type OpenApiOptions, openApiDocument } from '../api/openapi.ts'
import { type DerivedName, derivedNames, type ResourceKind } from '../api/resources.ts'
import type { Schema } from '../api/schemas.ts'
import type { FieldDefinition } from './custom-fields.ts'
import { indexedFields } from './custom-fields.ts'
import type { PublishedSlugs, WorkspaceShape } from './shape.ts'

/** Returns an OpenAPI 3.1 document of what a client of this workspace can read. */
export function workspaceOpenApi(
  { id, settings }: WorkspaceShape,
  slugs: PublishedSlugs,
  options: OpenApiOptions,
): OpenApiDocument {
  const document = openApiDocument(options)
  const paths = Object.entries(document.paths)
    .filter(([path]) => settings.v1 !== 'private' || !path.startsWith('/v1/'))
    .map(([path, { get }]) => {
      const own = get.parameters.filter(({ name }) => name !== 'workspaceId')
      const filters = /\/posts$/.test(path) ? fieldFilters(settings.fields) : []
      const parameters = [
        ...own.map((parameter) => withExample(parameter, path, slugs)),
        ...filters,
      ]
      const name = path.replace('{workspaceId}', encodeURIComponent(id))
      return [name, { get: { ...get, parameters } }] as const
    })
  return {
    ...document,
    info: { ...document.info, title: settings.name ?? id },
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      schemas: withFields(
        withDerived(document.components.schemas, settings.derived),
        settings.fields,
      ),
    },
  }
}

/** Returns the parameters that filter by custom fields. */
function fieldFilters(defined: readonly FieldDefinition[]): readonly Schema[] {
  return fieldParameters(indexedFields(defined)).map(({ name, description, type }) => ({
    ...{ name, in: 'query', required: false, description },
    ...(type.isList ? { style: 'form', explode: false } : {}),
    schema: type.schema,
  }))
}

/** Adds an example slug to a parameter that takes slugs. */
function withExample(parameter: Schema, path: string, slugs: PublishedSlugs): Schema {
  const name = String(parameter['name'])
  if (name === 'identifier') {
    const kinds = Object.keys(slugs) as ResourceKind[]
    const kind = kinds.find((each) => path.includes(`/${each}/`))
    const [example] = kind === undefined ? [] : slugs[kind]
    return example === undefined ? parameter : { ...parameter, example }
  }
  const kind = /^(?:exclude)?(categories|tags|authors)$/i.exec(name)?.[1]?.toLowerCase()
  const kinds = { categories: slugs.categories, tags: slugs.tags, authors: slugs.authors }
  const [example] = kind === undefined ? [] : kinds[kind as keyof typeof kinds]
  return example === undefined ? parameter : { ...parameter, example: [example] }
}

/** Restricts the computed values to those of the workspace. */
function withDerived(
  schemas: OpenApiDocument['components']['schemas'],
  names: readonly DerivedName[],
): OpenApiDocument['components']['schemas'] {
  const { Derived = {}, Post = {}, ...others } = schemas
  const { derived, ...properties } = Post['properties'] as Readonly<Record<string, Schema>>
  if (names.length === 0) return { ...others, Post: { ...Post, properties } }
  const keys = derivedNames
    .filter((name) => names.includes(name))
    .map((name) => (name === 'readingTime' ? 'readingTimeSeconds' : name))
  const values = Derived['properties'] as Readonly<Record<string, Schema>>
  return {
    ...others,
    Post: { ...Post, required: [...(Post['required'] as readonly string[]), 'derived'] },
    Derived: {
      ...Derived,
      properties: Object.fromEntries(keys.map((key) => [key, values[key]])),
      required: keys,
    },
  }
}

/** Sets the schemas of custom fields; removes `fields` if the workspace defines none. */
function withFields(
  schemas: OpenApiDocument['components']['schemas'],
  defined: readonly FieldDefinition[],
): OpenApiDocument['components']['schemas'] {
  const { CustomFields, Post = {}, ...others } = schemas
  const { fields, ...properties } = Post['properties'] as Readonly<Record<string, Schema>>
  if (defined.length === 0) return { ...others, Post: { ...Post, properties } }
  const required = [...(Post['required'] as readonly string[]), 'fields']
  return {
    ...others,
    Post: { ...Post, required },
    CustomFields: {
      type: 'object',
      description: CustomFields?.['description'],
      properties: Object.fromEntries(defined.map((field) => [field.name, schemaOf(field)])),
      required: defined.map(({ name }) => name),
      additionalProperties: false,
    },
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
