// Descriptions of a workspace for tools: JSON Schemas of front matter and settings, and OpenAPI documents.
import { parse } from 'yaml'
import * as z from 'zod'
import {
  type OpenApiDocument,
  type OpenApiOptions,
  openApiDocument,
  postKeyDescriptions,
} from '../api/openapi.ts'
import { postKeyTable } from '../api/post-keys.ts'
import type { ResourceKind, TermKind } from '../api/resources.ts'
import { type DescribedContent, type DescribedFields, object, type Schema } from '../api/schemas.ts'
import {
  definitionKeysSchema,
  type FieldDefinition,
  type FieldType,
  fieldTypes,
  indexedFields,
  namePattern,
  requiredKeys,
} from './custom-fields.ts'
import { deriveId } from './identifier.ts'
import type { Workspace } from './library.ts'
import { type FrontMatterMapping, itemKeys, mapFields, mappedFields } from './map-fields.ts'
import { date, postSchema } from './schema.ts'
import { type CollectionDefinition, settingsSchema, type WorkspaceSettings } from './settings.ts'
import { byTermKind } from './terms.ts'

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, JsonSchema>>

/** The dialect with the best editor support. */
const dialect = 'http://json-schema.org/draft-07/schema#'

/** Returns the schema of a post's front matter. @param mapping its source keys accept any value */
export function frontMatterSchema(shape: WorkspaceShape, mapping: FrontMatterMapping): JsonSchema {
  const { settings, id } = shape
  // Values of another tool are converted later.
  const foreign = mapFields(new Map(), mapping, mappedFields).usedKeys
  const own = settings.fields
  const needed = [
    'title',
    ...(settings.defaults.category === undefined ? ['category'] : []),
    ...(own.some(({ isRequired }) => isRequired) ? ['fields'] : []),
  ]
  return {
    $schema: dialect,
    title: `Front matter of a post in ${JSON.stringify(settings.name ?? id)}`,
    type: 'object',
    properties: {
      ...properties(shape, Object.keys(postKeyTable)),
      ...Object.fromEntries(foreign.map((key) => [key, true])),
    },
    required: needed.filter((key) => !foreign.includes(key)),
    additionalProperties: mapping.ignore === true,
  }
}

/** Returns the schema of an item's front matter, in JSON Schema draft 7. */
export function itemSchema(shape: WorkspaceShape, { name, fields }: CollectionShape): JsonSchema {
  const own = customFieldsSchema(fields)
  return {
    $schema: dialect,
    title: `Front matter of an item of ${JSON.stringify(name)}`,
    type: 'object',
    properties: { ...properties(shape, itemKeys, 'item'), ...(own['properties'] as Properties) },
    required: own['required'],
  }
}

/** Text, or any type that an editor may read a plain scalar as. */
const anyText = { type: ['string', 'number', 'boolean'] } as const

/** Accepts texts, and their plain scalar forms: an editor reads an unquoted `2024` as a number. */
function oneOfTexts(texts: readonly string[]): JsonSchema {
  return { enum: [...new Set(texts.flatMap((text) => [text, parseScalar(text)]))] }
}

function parseScalar(text: string): unknown {
  try {
    const value: unknown = parse(text)
    return ['number', 'boolean'].includes(typeof value) ? value : text
  } catch {
    return text
  }
}

/** @param noun what descriptions call the entry */
function properties(shape: WorkspaceShape, keys: readonly string[], noun = 'post'): Properties {
  const { fields, defaults } = shape.settings
  const category = termSchema(shape, 'categories')
  const authors = { anyOf: [termSchema(shape, 'authors'), { type: 'object' }] }
  const own: Properties = {
    title: anyText,
    category: defaults.category === undefined ? category : optional(category),
    aliases: listOrText(anyText),
    tags: listOrText(termSchema(shape, 'tags')),
    authors: listOrText(authors),
    fields: customFieldsSchema(fields),
  }
  const entries = keys.flatMap((name) => {
    const alias = postKeyTable[name]?.alias
    const description = postKeyDescriptions[name]?.replace(/\bpost\b/g, noun)
    const schema = own[name] ?? optional(postProperties?.[name] ?? {})
    const about = description === undefined ? schema : { description, ...schema }
    const other = { description: `Another name for ${name}.`, ...schema }
    return [[name, about] as const, ...(alias === undefined ? [] : [[alias, other] as const])]
  })
  return Object.fromEntries(entries)
}

/** Accepts a list, and a single text for a list of one. */
function listOrText(items: JsonSchema): JsonSchema {
  return optional({ type: ['array', ...anyText.type], items })
}

function termSchema({ settings, identifiers }: WorkspaceShape, kind: TermKind): JsonSchema {
  const names = identifiers[kind]
  if (names.length === 0) return anyText
  const known = oneOfTexts(names)
  return settings.references === 'create' ? { anyOf: [known, anyText] } : known
}

function customFieldsSchema(defined: readonly FieldDefinition[]): JsonSchema {
  const required = defined.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const schema = {
    type: 'object',
    description: 'Fields of this workspace.',
    properties: Object.fromEntries(defined.map((field) => [field.name, fieldSchema(field)])),
    required,
    additionalProperties: false,
  }
  return required.length > 0 ? schema : optional(schema)
}

function fieldSchema(definition: FieldDefinition): JsonSchema {
  const { label, description, isRequired, default: given } = definition
  const schema = isRequired ? valueSchema(definition) : optional(valueSchema(definition))
  return {
    ...(label === null ? {} : { title: label }),
    ...(given === null ? {} : { default: given }),
    ...(description === null ? {} : { description }),
    ...schema,
  }
}

function valueSchema({ type, options, isRequired, fields }: FieldDefinition): JsonSchema {
  const items = options.length === 0 ? anyText : oneOfTexts(options)
  const schemas: Readonly<Record<FieldType, JsonSchema>> = {
    ...{ text: anyText, image: anyText, reference: anyText, date: editorSchema(date), json: {} },
    ...{ number: { type }, boolean: { type }, select: items },
    list: { type: 'array', items, ...(isRequired ? { minItems: 1 } : {}) },
    references: { anyOf: [{ type: 'array', items: anyText }, anyText] },
    object: customFieldsSchema(fields),
    objects: { type: 'array', items: customFieldsSchema(fields) },
  }
  return schemas[type]
}

/** Returns a schema that also accepts null, in the same keyword, so that an editor reports a mistake once. */
function optional(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema
  return {
    ...schema,
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, { type: 'null' }] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
  }
}

/** Returns the schema of the settings, in JSON Schema draft 7. */
export function settingsJsonSchema({ identifiers }: WorkspaceShape): JsonSchema {
  const { properties, ...schema } = editorSchema(settingsSchema)
  const categories = identifiers.categories
  const category = categories.length === 0 ? anyText : oneOfTexts(categories)
  const fields = {
    type: 'object',
    propertyNames: { pattern: namePattern.source },
    additionalProperties: { anyOf: [{ enum: shortTypes }, definition] },
  }
  const own = { folder: anyText, file: anyText, orderBy: anyText, fields }
  const collection = { type: 'object', properties: own, additionalProperties: false }
  return {
    ...schema,
    title: 'Settings of a workspace',
    type: ['object', 'null'],
    properties: {
      ...properties,
      defaults: { type: 'object', properties: { category }, additionalProperties: false },
      fields: { ...properties?.['fields'], ...fields },
      collections: { ...properties?.['collections'], additionalProperties: collection },
      singletons: { ...properties?.['singletons'], additionalProperties: { type: 'string' } },
    },
    additionalProperties: false,
  }
}

/** Converts a schema of quarry to a JSON Schema for the values that an editor reads. */
function editorSchema(schema: z.ZodType): JsonSchema & { readonly properties?: Properties } {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { type, pattern, enum: values } = jsonSchema
      if (type === 'string' && !pattern && !values) Object.assign(jsonSchema, anyText)
    },
  }) as JsonSchema
}

const postProperties = editorSchema(postSchema).properties

const shortTypes = fieldTypes.filter((type) => requiredKeys[type] === undefined)

const definition: JsonSchema = {
  type: 'object',
  properties: {
    ...editorSchema(definitionKeysSchema).properties,
    type: { enum: fieldTypes },
  },
  required: ['type'],
  additionalProperties: false,
}

/** The shape of a workspace's posts. */
export interface WorkspaceShape {
  readonly id: string
  readonly settings: WorkspaceSettings
  /** Names by which a post may refer to a term: slugs in name order, then stated ids. */
  readonly identifiers: Readonly<Record<TermKind, readonly string[]>>
  /** Slugs of all published resources, ascending. */
  readonly slugs: Readonly<Record<ResourceKind, readonly string[]>>
  /** In order of definition. */
  readonly collections: readonly CollectionShape[]
}

/** The shape of the items of a collection. */
export interface CollectionShape extends Pick<CollectionDefinition, 'name' | 'fields'> {
  /** Slugs of its published items, ascending. */
  readonly slugs: readonly string[]
}

/** Describes a workspace without scheduled posts. */
export function describeWorkspace(workspace: Workspace): WorkspaceShape {
  const { id, settings } = workspace
  const created = new Set(Object.values(workspace.created).flat())
  const namesOf = (kind: TermKind) => {
    const stated = workspace[kind].filter((term) => !created.has(term.id))
    const withId = stated.filter((term) => term.id !== deriveId(id, kind, term.slug))
    return [...stated.map(({ slug }) => slug), ...withId.map((term) => term.id)]
  }
  const slugsOf = (kind: TermKind) => workspace[kind].map(({ slug }) => slug).sort()
  const postsOf = ({ posts }: Workspace) => posts.map(({ post }) => post.slug).sort()
  const slugs = { posts: postsOf(workspace), ...byTermKind(slugsOf) }
  const collections = workspace.collections.flatMap((each) => {
    const { collection, fields } = each
    if (collection?.kind !== 'items') return []
    return [{ name: collection.name, fields, slugs: postsOf(each) }]
  })
  return { id, settings, identifiers: byTermKind(namesOf), slugs, collections }
}

/** Returns an OpenAPI 3.1 document of what a client of this workspace can read. */
export function workspaceOpenApi(
  { id, settings }: Pick<WorkspaceShape, 'id' | 'settings'>,
  options: OpenApiOptions,
): OpenApiDocument {
  const { name: title = id, v1, derived } = settings
  const workspace = { id, title, isV1Private: v1 === 'private', derived }
  return openApiDocument(options, { workspace, ...toContent([settings], settings) })
}

/** Describes the fields of the only public workspace, if there is one. Private workspaces are never revealed. */
export function siteOpenApi(
  workspaces: readonly Pick<Workspace, 'isV1Private' | 'settings'>[],
  options: OpenApiOptions,
): OpenApiDocument {
  const open = workspaces.flatMap((each) => (each.isV1Private ? [] : each.settings))
  const [only] = open.length === 1 ? open : []
  const isUsual = only && [only.fields, only.collections, only.singletons].flat().length === 0
  return openApiDocument(options, toContent(open, isUsual ? undefined : only))
}

/** @param only the workspace whose own content is described */
function toContent(
  all: readonly WorkspaceSettings[],
  only: WorkspaceSettings | undefined,
): DescribedContent {
  const { fields, collections = [], singletons = [] } = only ?? {}
  const localized = all.filter(({ locale }) => locale !== undefined)
  return {
    ...(fields && { fields: describedFields(fields) }),
    collections: collections.map(({ name, fields }) => ({ name, fields: describedFields(fields) })),
    singletons,
    hasTermFields: all.some(({ fieldsOf }) => Object.values(fieldsOf).flat().length > 0),
    locales: localized.length === 0 ? 'none' : localized.length < all.length ? 'some' : 'all',
  }
}

function describedFields(defined: readonly FieldDefinition[]): DescribedFields {
  const references = defined.filter(({ to }) => to !== '')
  return { properties: propertiesOf(defined), indexed: indexedFields(defined), references }
}

function propertiesOf(fields: readonly FieldDefinition[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(fields.map((field) => [field.name, responseSchemaOf(field)]))
}

function responseSchemaOf(field: FieldDefinition): Schema {
  const { label, description, isRequired, default: given, type, options, fields } = field
  const about = [label, description].filter((text) => text !== null).join(': ')
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
  const schema = { ...(about === '' ? {} : { description: about }), ...schemas[type] }
  const isNullable = !isRequired && given === null && type !== 'references'
  return isNullable ? { anyOf: [schema, { type: 'null' }] } : schema
}
