// The front matter of a workspace's posts as a JSON Schema, for editors: what can be written, and what is there to
// choose from. Knows nothing of where it is kept. What an editor reads as a number may be text here, as it was typed.
import { parse } from 'yaml'
import type { FieldDefinition } from './field-definitions.ts'
import { type FrontMatterMapping, mappedFields } from './front-matter-mapping.ts'
import { mapFields } from './map-fields.ts'
import type { WorkspaceShape } from './shape.ts'

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The dialect that editors know best. */
export const dialect = 'http://json-schema.org/draft-07/schema#'

/**
 * The schema of a post's front matter, of JSON Schema's draft 7.
 *
 * @param mapping keys that are read in place of our own are let through as they are
 */
export function frontMatterSchema(shape: WorkspaceShape, mapping: FrontMatterMapping): JsonSchema {
  const { settings, id } = shape
  // Whatever another tool wrote there is put into shape later.
  const foreign = mapFields(new Map(), mapping, mappedFields).usedKeys
  const own = settings.fields.defined
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

/** Text of any kind that a plain scalar may be taken for. */
export const anyText: JsonSchema = { type: ['string', 'number', 'boolean'] }

/**
 * These texts, and what an editor takes them for where they are written without quotes: `2024` is a number to it.
 */
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

function properties({
  settings,
  identifiers,
}: WorkspaceShape): Readonly<Record<string, JsonSchema>> {
  const refer = (names: readonly string[]): JsonSchema => {
    if (names.length === 0) return anyText
    return settings.references === 'create'
      ? { anyOf: [oneOfTexts(names), anyText] }
      : oneOfTexts(names)
  }
  const listOf = (names: readonly string[]) => optional({ type: 'array', items: refer(names) })
  return {
    title: described(anyText, 'What the post is called.'),
    slug: described(optional(anyText), "The name in its address. Default: the file's name."),
    id: described(optional(anyText), 'Default: derived from workspace and slug.'),
    description: described(optional(anyText), 'A short summary.'),
    category: described(
      settings.defaults.category === undefined
        ? refer(identifiers.categories)
        : optional(refer(identifiers.categories)),
      'Slug or id of a category.',
    ),
    aliases: described(
      optional({ type: 'array', items: anyText }),
      'Slugs that the post had before.',
    ),
    tags: described(
      listOf(identifiers.tags),
      'Slugs or ids, in the order in which they are shown.',
    ),
    authors: described(
      listOf(identifiers.authors),
      'Slugs or ids, in the order in which they are shown.',
    ),
    publishedAt: described(
      optional(dateSchema),
      "When it is published, ISO 8601. Default: the date in the file's name.",
    ),
    date: described(optional(dateSchema), 'Another name of publishedAt.'),
    updatedAt: described(optional(dateSchema), 'Default: publishedAt.'),
    featured: optional({ type: 'boolean', default: false }),
    coverImage: described(optional(anyText), 'Address of a picture.'),
    attribution: described(optional(anyText), 'Free text on the original publication.'),
    status: optional({ enum: ['published', 'draft'], default: 'published' }),
    draft: optional({ type: 'boolean', default: false }),
    fields: ownFields(settings.fields.defined),
  }
}

const dateSchema: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' }

function ownFields(defined: readonly FieldDefinition[]): JsonSchema {
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

/** Or nothing: in the same keyword, so that an editor tells of one mistake once. */
function optional(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (Array.isArray(values)) return { ...schema, enum: [...values, null] }
  return { ...schema, type: [...(Array.isArray(type) ? type : [type]), 'null'] }
}
