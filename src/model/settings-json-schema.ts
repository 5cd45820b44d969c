// JSON Schema of a `workspace.yml`, for editors.

import { parse } from 'yaml'
import { postKeyDescriptions } from '../api/descriptions.ts'
import { type PostKeyType, postKeyTable } from '../api/post-keys.ts'
import { derivedNames, type TermKind } from '../api/resources.ts'
import { definitionKeys, type FieldDefinition, fieldTypes } from './custom-fields.ts'
import { type FrontMatterMapping, mappedFields } from './front-matter-mapping.ts'
import { brokenLinkSettings } from './link-settings.ts'
import { mapFields } from './map-fields.ts'
import type { WorkspaceShape } from './shape.ts'

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The dialect with the best editor support. */
export const dialect = 'http://json-schema.org/draft-07/schema#'

/**
 * Returns the schema of a post's front matter, in JSON Schema draft 7.
 *
 * @param mapping its source keys accept any value
 */
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
      ...properties(shape),
      ...Object.fromEntries(foreign.map((key) => [key, true])),
    },
    required: needed.filter((key) => !foreign.includes(key)),
    additionalProperties: mapping.ignore === true,
  }
}

/** Text, or any type that an editor may read a plain scalar as. */
export const anyText: JsonSchema = { type: ['string', 'number', 'boolean'] }

/** Accepts texts, and their plain scalar forms: an editor reads an unquoted `2024` as a number. */
export function oneOfTexts(texts: readonly string[]): JsonSchema {
  return { enum: [...new Set(texts.flatMap((text) => [text, asPlain(text)]))] }
}

function asPlain(text: string): unknown {
  try {
    const value: unknown = parse(text)
    return ['number', 'boolean'].includes(typeof value) ? value : text
  } catch {
    return text
  }
}

function properties(shape: WorkspaceShape): Readonly<Record<string, JsonSchema>> {
  const entries = Object.entries(postKeyTable).flatMap(([name, { type, alias }]) => {
    const description = postKeyDescriptions[name]
    const schema = schemasByType[type](shape)
    const key = [name, description === undefined ? schema : described(schema, description)] as const
    return alias === undefined
      ? [key]
      : [key, [alias, described(schema, `Another name for ${name}.`)] as const]
  })
  return Object.fromEntries(entries)
}

const optionalText = () => optional(anyText)

const schemasByType: { readonly [type in PostKeyType]: (shape: WorkspaceShape) => JsonSchema } = {
  title: () => anyText,
  text: optionalText,
  identifier: optionalText,
  url: optionalText,
  identifiers: () => optional({ type: 'array', items: anyText }),
  date: () => optional(dateSchema),
  boolean: () => optional({ type: 'boolean', default: false }),
  status: () => optional({ enum: ['published', 'draft'], default: 'published' }),
  category: (shape) => {
    const category = termSchema(shape, 'categories')
    return shape.settings.defaults.category === undefined ? category : optional(category)
  },
  tags: (shape) => optional({ type: 'array', items: termSchema(shape, 'tags') }),
  authors: (shape) => optional({ type: 'array', items: termSchema(shape, 'authors') }),
  'custom fields': ({ settings }) => customFields(settings.fields),
}

/** Returns the schema of a reference to a term. */
function termSchema({ settings, identifiers }: WorkspaceShape, kind: TermKind): JsonSchema {
  const names = identifiers[kind]
  if (names.length === 0) return anyText
  const known = oneOfTexts(names)
  return settings.references === 'create' ? { anyOf: [known, anyText] } : known
}

const dateSchema: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' }

function customFields(defined: readonly FieldDefinition[]): JsonSchema {
  const required = defined.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const schema = {
    type: 'object',
    description: 'Fields of this workspace.',
    properties: Object.fromEntries(
      defined.map((definition) => [definition.name, field(definition)]),
    ),
    required,
    additionalProperties: false,
  }
  return required.length > 0 ? schema : optional(schema)
}

function field(definition: FieldDefinition): JsonSchema {
  const { label, description, isRequired, default: given } = definition
  const schema = isRequired ? schemaOf(definition) : optional(schemaOf(definition))
  return {
    ...(label === null ? {} : { title: label }),
    ...(given === null ? {} : { default: given }),
    ...(description === null ? schema : described(schema, description)),
  }
}

function schemaOf({ type, options, isRequired }: FieldDefinition): JsonSchema {
  if (type === 'number') return { type: 'number' }
  if (type === 'boolean') return { type: 'boolean' }
  if (type === 'date') return dateSchema
  if (type === 'select') return oneOfTexts(options)
  if (type === 'text') return anyText
  const items = options.length === 0 ? anyText : oneOfTexts(options)
  return { type: 'array', items, ...(isRequired ? { minItems: 1 } : {}) }
}

function described(schema: JsonSchema, description: string): JsonSchema {
  return { description, ...schema }
}

/** Also accepts null, in the same keyword, so that an editor reports one mistake once. */
function optional(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (Array.isArray(values)) return { ...schema, enum: [...values, null] }
  return { ...schema, type: [...(Array.isArray(type) ? type : [type]), 'null'] }
}

/** Returns the schema of the settings, in JSON Schema draft 7. */
export function settingsJsonSchema({ identifiers }: WorkspaceShape): JsonSchema {
  const category =
    identifiers.categories.length === 0 ? anyText : oneOfTexts(identifiers.categories)
  return {
    $schema: dialect,
    title: 'Settings of a workspace',
    type: ['object', 'null'],
    properties: {
      name: { description: 'The name of the workspace.', ...anyText },
      references: {
        description: 'What to do with categories, tags and authors that have no file.',
        enum: ['error', 'create'],
        default: 'error',
      },
      defaults: { type: 'object', properties: { category }, additionalProperties: false },
      v1: {
        description: 'private: nothing of it is served under v1.',
        enum: ['public', 'private'],
        default: 'public',
      },
      baseUrl: {
        description: 'The URL at which `public` is served; image URLs begin with it.',
        type: 'string',
        pattern: '^https?://',
      },
      links: {
        type: 'object',
        properties: {
          post: { description: 'The URL of a post, such as /blog/{slug}.', type: 'string' },
          broken: { enum: [...brokenLinkSettings], default: 'error' },
        },
        additionalProperties: false,
      },
      derived: {
        description: 'Values derived from bodies, which are added to posts.',
        type: 'array',
        items: { enum: [...derivedNames] },
        uniqueItems: true,
        default: [],
      },
      fields: {
        description: 'Your own fields, which every post has, in the order of the responses.',
        type: 'object',
        propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' },
        additionalProperties: { anyOf: [{ enum: shortTypes }, definition] },
      },
    },
    additionalProperties: false,
  }
}

const shortTypes = fieldTypes.filter((type) => type !== 'select')

const forms: Readonly<Record<string, JsonSchema>> = {
  type: { enum: fieldTypes },
  required: { type: 'boolean', default: false },
  index: { type: 'boolean', default: false },
  options: { type: 'array', items: anyText, minItems: 1, uniqueItems: true },
  default: {},
}

const definition: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(definitionKeys.map((key) => [key, forms[key] ?? anyText])),
  required: ['type'],
  additionalProperties: false,
}
