// JSON Schema of a `workspace.yml`, for editors.
import { derivedNames } from '../api/resources.ts'
import { definitionKeys } from './field-definitions.ts'
import { fieldTypes } from './field-values.ts'
import { anyText, dialect, type JsonSchema, oneOfTexts } from './front-matter-schema.ts'
import { brokenLinkSettings } from './link-settings.ts'
import type { WorkspaceShape } from './shape.ts'

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
