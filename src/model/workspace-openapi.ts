// The OpenAPI documents of one workspace, and of a site: custom fields with their types.
import {
  type DescribedContent,
  type DescribedFields,
  type OpenApiDocument,
  type OpenApiOptions,
  openApiDocument,
} from '../api/openapi.ts'
import { object, type Schema } from '../api/schemas.ts'
import { type FieldDefinition, type FieldType, indexedFields } from './custom-fields.ts'
import type { Workspace } from './library.ts'
import type { WorkspaceSettings } from './settings.ts'
import type { CollectionShape, WorkspaceShape } from './settings-json-schema.ts'

/** Returns an OpenAPI 3.1 document of what a client of this workspace can read. */
export function workspaceOpenApi(
  { id, settings, collections }: WorkspaceShape,
  options: OpenApiOptions,
): OpenApiDocument {
  const { name: title = id, v1, derived } = settings
  const workspace = { id, title, isV1Private: v1 === 'private', derived }
  return openApiDocument(options, { workspace, ...contentOf([settings], settings, collections) })
}

/**
 * Returns the OpenAPI 3.1 document of a site. With one public workspace it has the custom fields of that one. They depend
 * on no other workspace, so that the document reveals none.
 */
export function siteOpenApi(
  workspaces: readonly Pick<Workspace, 'isV1Private' | 'fields' | 'collections' | 'settings'>[],
  options: OpenApiOptions,
): OpenApiDocument {
  const open = workspaces.filter(({ isV1Private }) => !isV1Private)
  const all = open.map(({ settings }) => settings)
  const [only] = open.length === 1 ? open : []
  const collections = (only?.collections ?? []).flatMap(({ collection, fields }) =>
    collection?.kind === 'items' ? [{ name: collection.name, fields }] : [],
  )
  const { fields = [], singletons = [] } = only?.settings ?? {}
  const isUsual = fields.length + collections.length + singletons.length === 0
  return openApiDocument(options, contentOf(all, isUsual ? undefined : only?.settings, collections))
}

/** @param only the workspace whose own content is described */
function contentOf(
  all: readonly WorkspaceSettings[],
  only: WorkspaceSettings | undefined,
  collections: readonly Pick<CollectionShape, 'name' | 'fields'>[],
): DescribedContent {
  const localized = all.filter(({ locale }) => locale !== undefined)
  return {
    ...(only && { fields: describedFields(only.fields) }),
    collections: collections.map(({ name, fields }) => ({ name, fields: describedFields(fields) })),
    singletons: only?.singletons ?? [],
    hasTermFields: all.some(({ fieldsOf }) => Object.values(fieldsOf).flat().length > 0),
    locales: localized.length === 0 ? 'none' : localized.length < all.length ? 'some' : 'all',
  }
}

function describedFields(defined: readonly FieldDefinition[]): DescribedFields {
  const options = new Map(defined.map((field) => [field.name, field.options]))
  const indexed = indexedFields(defined).map((field) => {
    return { ...field, options: options.get(field.name) ?? [] }
  })
  return { properties: propertiesOf(defined), indexed }
}

function propertiesOf(fields: readonly FieldDefinition[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]))
}

function schemaOf({ label, description, isRequired, default: given, ...field }: FieldDefinition) {
  const about = [label, description].filter((text) => text !== null).join(': ')
  const schema = { ...(about === '' ? {} : { description: about }), ...typeOf(field) }
  const isNullable = !isRequired && given === null && field.type !== 'references'
  return isNullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

function typeOf({
  type,
  options,
  fields,
}: Pick<FieldDefinition, 'type' | 'options' | 'fields'>): Schema {
  const text = { type: 'string', ...(options.length === 0 ? {} : { enum: options }) }
  const size = { type: ['integer', 'null'] }
  // A summary, or the whole resource with `include`.
  const target = { type: 'object', properties: { id: text, slug: text }, required: ['id', 'slug'] }
  const schemas: Readonly<Record<FieldType, Schema>> = {
    ...{ text, select: text, number: { type }, boolean: { type }, json: {} },
    date: { type: 'string', format: 'date-time' },
    list: { type: 'array', items: text },
    image: object({ src: text, width: size, height: size }),
    reference: target,
    references: { type: 'array', items: target },
    object: object(propertiesOf(fields)),
    objects: { type: 'array', items: object(propertiesOf(fields)) },
  }
  return schemas[type]
}
