// The OpenAPI document of one workspace: its paths, and custom fields with types.
import {
  type DescribedOperation,
  describeParameter,
  jsonResponse,
  type OpenApiDocument,
  type OpenApiOptions,
  openApiDocument,
} from '../api/openapi.ts'
import { operationOf, parametersOf, typeOf as typeOfParameter } from '../api/parameter-table.ts'
import { fieldParameters } from '../api/parameter-values.ts'
import { defaultParameters, type OwnKind } from '../api/request.ts'
import { derivedNames, languageKeys } from '../api/resources.ts'
import { object, ref, type Schema } from '../api/schemas.ts'
import { type FieldDefinition, type FieldType, indexedFields } from './custom-fields.ts'
import type { Workspace } from './library.ts'
import type { WorkspaceSettings } from './settings.ts'
import type { CollectionShape, WorkspaceShape } from './settings-json-schema.ts'

type Schemas = OpenApiDocument['components']['schemas']

const text: Schema = { type: 'string' }

/** Returns an OpenAPI 3.1 document of what a client of this workspace can read. */
export function workspaceOpenApi(
  { id, settings, collections }: WorkspaceShape,
  options: OpenApiOptions,
): OpenApiDocument {
  const document = withLocales(withTermFields(openApiDocument(options), [settings]), [settings])
  const paths = Object.entries(document.paths)
    .filter(([path]) => settings.v1 !== 'private' || !path.startsWith('/v1/'))
    .map(([path, { get }]) => {
      const own = get.parameters.filter(({ name }) => name !== 'workspaceId')
      const name = path.replace('{workspaceId}', encodeURIComponent(id))
      const parameters = withFields(path, own, settings.fields)
      return [name, { get: { ...get, parameters } }] as const
    })
  const own = ownContent(document, collections, settings.singletons)
  const ownPaths = Object.entries(own.paths)
    .filter(([path]) => settings.v1 !== 'private' || !path.startsWith('/v1/'))
    .map(([path, { get }]) => {
      const parameters = get.parameters.filter(({ name }) => name !== 'workspaceId')
      return [
        path.replace('{workspaceId}', encodeURIComponent(id)),
        { get: { ...get, parameters } },
      ]
    })
  return {
    ...document,
    info: { ...document.info, title: settings.name ?? id },
    paths: { ...Object.fromEntries(paths), ...Object.fromEntries(ownPaths) },
    components: {
      ...document.components,
      schemas: { ...schemasOf(document.components.schemas, settings), ...own.schemas },
    },
  }
}

/** Adds `fields` to authors, categories and tags, where a workspace defines some. */
function withTermFields(
  document: OpenApiDocument,
  settings: readonly Pick<WorkspaceSettings, 'fieldsOf'>[],
): OpenApiDocument {
  if (settings.every(({ fieldsOf }) => Object.values(fieldsOf).every(({ length }) => length === 0)))
    return document
  const { schemas } = document.components
  const withFields = (schema: Schema = {}): Schema => {
    return {
      ...schema,
      properties: { ...(schema['properties'] as Schema), fields: { type: 'object' } },
    }
  }
  const own = { Author: withFields(schemas['Author']), Term: withFields(schemas['Term']) }
  return { ...document, components: { ...document.components, schemas: { ...schemas, ...own } } }
}

/** Adds the language of posts, and the parameter that chooses one, where a workspace has a language. */
function withLocales(
  document: OpenApiDocument,
  settings: readonly Pick<WorkspaceSettings, 'locale'>[],
): OpenApiDocument {
  if (settings.every(({ locale }) => locale === undefined)) return document
  const { Post = {}, ...schemas } = document.components.schemas
  const locale = {
    ...{ name: 'locale', in: 'query', required: false, schema: text },
    description: 'The response of the workspace of this language, in the group of the workspace.',
  }
  const paths = Object.entries(document.paths).map(([path, { get }]) => {
    const own = get.parameters.map((one) =>
      one['name'] === 'select' ? withLanguageKeys(one) : one,
    )
    return [path, { get: { ...get, parameters: [...own, locale] } }] as const
  })
  const isEvery = settings.every((each) => each.locale !== undefined)
  const required = [...(Post['required'] as string[]), ...(isEvery ? languageKeys : [])]
  const properties = { ...(Post['properties'] as Schema), ...languageSchemas }
  const withKeys = { ...schemas, Post: { ...Post, properties, required } }
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: withKeys },
  }
}

function withLanguageKeys(parameter: Schema): Schema {
  const schema = parameter['schema'] as { readonly items: { readonly enum: readonly string[] } }
  const names = { ...schema.items, enum: [...schema.items.enum, ...languageKeys] }
  return { ...parameter, schema: { ...schema, items: names } }
}

/** The members of posts and items in a workspace with a language. */
const languageSchemas: Schemas = {
  locale: text,
  translations: {
    type: 'array',
    items: object({ locale: text, workspaceId: text, id: text, slug: text }),
  },
}

/** The paths and schemas of collections and singletons; none without any. */
function ownContent(
  document: OpenApiDocument,
  collections: readonly Pick<CollectionShape, 'name' | 'fields'>[],
  singletons: readonly string[],
): Pick<OpenApiDocument, 'paths'> & { readonly schemas: Schemas } {
  const paths: Record<string, OpenApiDocument['paths'][string]> = {}
  const schemas: Record<string, Schema> = {}
  const { Post = {} } = document.components.schemas
  const hasLanguage = 'locale' in (Post['properties'] as Schema)
  const counted = object({ name: text, count: object({ items: { type: 'integer', minimum: 0 } }) })
  const add = (
    path: string,
    kind: OwnKind,
    summary: string,
    schema: string,
    fields: readonly FieldDefinition[] = [],
  ) => {
    for (const version of ['v2', 'v1'] as const) {
      const root = version === 'v1' ? '/v1/{workspaceId}' : '/v2'
      const like = document.paths[`${root}/posts`]?.get as DescribedOperation
      const isList = !path.endsWith('}')
      const target = { version, resource: kind, identifier: isList ? null : '' }
      const operation = operationOf(target)
      const described = parametersOf(target).map((name) => describeParameter(operation, name, true))
      const accepted = hasLanguage
        ? described.map((one) => (one['name'] === 'select' ? withLanguageKeys(one) : one))
        : described
      const inPath = like.parameters.filter((parameter) => parameter['in'] === 'path')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const own = names.map((name) => ({ name, in: 'path', required: true, schema: text }))
      const { operationId, ...rest } = like
      paths[`${root}${path}`] = {
        get: {
          ...rest,
          summary,
          description: `${summary}.`,
          parameters: [
            ...inPath,
            ...own,
            ...withFields(isList ? '/posts' : path, accepted, fields),
            ...like.parameters.filter((parameter) => parameter['name'] === 'locale'),
          ],
          responses: { ...like.responses, '200': jsonResponse('The response.', schema) },
        },
      }
    }
  }
  if (collections.length > 0) {
    schemas['CollectionList'] = object({ collections: { type: 'array', items: counted } })
    add('/collections', 'collections', 'List collections', 'CollectionList')
  }
  for (const { name, fields } of collections) {
    const item = `Item_${name}`
    const date = { type: ['string', 'null'], format: 'date-time' }
    schemas[item] = object(
      {
        ...{ id: text, slug: text, title: text, status: text, content: text },
        ...{ publishedAt: date, updatedAt: date, fields: objectOf(fields) },
        ...(hasLanguage ? languageSchemas : {}),
      },
      ['status', 'content', ...(fields.length === 0 ? ['fields'] : [])],
    )
    const pagination = ref('Pagination')
    schemas[`${item}_list`] = object({ items: { type: 'array', items: ref(item) }, pagination })
    const summary = object({ id: text, slug: text, title: text })
    schemas[`${item}_single`] = object(
      {
        item: ref(item),
        parent: { anyOf: [summary, { type: 'null' }] },
        children: { type: 'array', items: summary },
      },
      ['parent', 'children'],
    )
    add(`/collections/${name}`, 'items', `List items of ${name}`, `${item}_list`, fields)
    add(`/collections/${name}/{identifier}`, 'items', `Get one item of ${name}`, `${item}_single`)
  }
  if (singletons.length > 0) {
    schemas['Singleton'] = object({
      singleton: object({ name: text, content: text, fields: {} }, ['content']),
    })
    add('/singletons/{identifier}', 'singletons', 'Get one singleton', 'Singleton')
  }
  return { paths, schemas }
}

/** The object of custom fields. */
function objectOf(fields: readonly FieldDefinition[]): Schema {
  return object(Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])))
}

/**
 * Returns the OpenAPI 3.1 document of a site. With one public workspace it has the custom fields of that one. They depend
 * on no other workspace, so that the document reveals none.
 */
export function siteOpenApi(
  workspaces: readonly Pick<Workspace, 'isV1Private' | 'fields' | 'collections' | 'settings'>[],
  options: OpenApiOptions,
): OpenApiDocument {
  const isOpen = ({ isV1Private }: Pick<Workspace, 'isV1Private'>) => !isV1Private
  const settings = workspaces.filter(isOpen).map((workspace) => workspace.settings)
  const document = withLocales(withTermFields(openApiDocument(options), settings), settings)
  const [only, ...others] = workspaces.filter(({ isV1Private }) => !isV1Private)
  if (only === undefined || others.length > 0) return document
  const collections = only.collections.flatMap(({ collection, fields }) =>
    collection?.kind === 'items' ? [{ name: collection.name, fields }] : [],
  )
  if (only.fields.length + collections.length + only.settings.singletons.length === 0)
    return document
  const own = ownContent(document, collections, only.settings.singletons)
  const { schemas } = document.components
  const properties = Object.fromEntries(only.fields.map((field) => [field.name, schemaOf(field)]))
  const paths = Object.entries(document.paths).map(([path, { get }]) => {
    const parameters = withFields(path, get.parameters, only.fields)
    return [path, { get: { ...get, parameters } }] as const
  })
  return {
    ...document,
    paths: { ...Object.fromEntries(paths), ...own.paths },
    components: {
      ...document.components,
      schemas: {
        ...schemas,
        CustomFields: { ...schemas['CustomFields'], properties },
        ...own.schemas,
      },
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
    ...fieldParameters(fields).map(({ name, field, description, type: { isList, schema } }) => {
      const { options = [] } = defined.find((each) => each.name === field) ?? {}
      const withChoices = (each: unknown) =>
        options.length === 0 ? (each as Schema) : { ...(each as Schema), enum: options }
      return {
        ...{ name, in: 'query', required: false, description },
        ...(isList ? { style: 'form', explode: false } : {}),
        schema: isList
          ? { ...schema, items: withChoices((schema as Schema)['items']) }
          : withChoices(schema),
      }
    }),
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
    object: objectOf(fields),
    objects: { type: 'array', items: objectOf(fields) },
  }
  return schemas[type]
}
