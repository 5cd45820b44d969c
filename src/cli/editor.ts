// `quarry editor`: writes the configuration of an editor for people who do not use Git.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Document, isMap, isSeq, type Node, parseDocument, type YAMLSeq } from 'yaml'
import { loadShapes, writeTypes } from '../build/types.ts'
import type { Settings } from '../config.ts'
import { UseError } from '../diagnostics.ts'
import type { FieldDefinition } from '../model/custom-fields.ts'
import type { WorkspaceShape } from '../model/settings-json-schema.ts'
import { type CommonFlags, type EditorName, readSettings } from './settings.ts'

/** Writes the configuration. Keys that a person added to it are kept. */
export async function runEditor(
  name: EditorName,
  flags: CommonFlags & { readonly to?: string },
): Promise<void> {
  const settings = await readSettings(flags)
  const shapes = await loadShapes(settings)
  const isPages = name === 'pages'
  const to = resolve(flags.to ?? (isPages ? '.pages.yml' : 'admin/config.yml'))
  const document = parseDocument(existsSync(to) ? readFileSync(to, 'utf8') : '{}')
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new UseError(`${to} is not a map in YAML. Mend or remove it.`)
  if (document.contents.items.length === 0) document.contents.flow = false
  const made = isPages ? pagesConfig(shapes, settings) : decapConfig(shapes, settings)
  const usual = isPages ? {} : { backend: { name: 'github', repo: 'OWNER/REPOSITORY' } }
  for (const [key, value] of Object.entries(usual))
    if (!document.has(key)) document.set(key, document.createNode(value))
  merge(document, document.contents, made)
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, String(document))
  process.stdout.write(`Wrote ${to}.\n`)
}

/** Writes a value into a node. Items of lists are found by their `name`; others, and other keys, stay. */
function merge(document: Document, node: Node, value: unknown): Node {
  if (isMap(node) && isRecord(value)) {
    for (const [key, own] of Object.entries(value)) {
      const known = node.get(key, true) as Node | undefined
      node.set(key, known ? merge(document, known, own) : document.createNode(own))
    }
    return node
  }
  if (isSeq(node) && Array.isArray(value) && value.every(isRecord)) {
    for (const own of value) addItem(document, node, own)
    return node
  }
  const isSame = JSON.stringify(node.toJS(document)) === JSON.stringify(value)
  return isSame ? node : document.createNode(value)
}

function addItem(document: Document, list: YAMLSeq, value: Readonly<Record<string, unknown>>) {
  const known = list.items.find((item) => isMap(item) && item.get('name') === value['name'])
  if (known === undefined) list.add(document.createNode(value))
  else merge(document, known as Node, value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of an editor, in quarry's terms. */
interface EditorField {
  readonly name: string
  readonly label: string
  readonly type: FieldDefinition['type'] | 'long text' | 'image' | 'body' | 'object'
  readonly isRequired?: boolean
  readonly options?: readonly string[]
  readonly default?: unknown
  readonly fields?: readonly EditorField[]
}

/** The collections of a workspace that are folders of Markdown. */
function collectionsOf({ id, settings, slugs }: WorkspaceShape, place: Settings) {
  const own = place.workspaces[id] ?? {}
  const folder = (part: 'posts' | 'media' | 'authors' | 'categories' | 'tags') =>
    own[part] ?? join(place.content, id, part)
  const title = settings.name ?? id
  const isFree = settings.references === 'create'
  const several = (name: 'tags' | 'authors', label: string): EditorField => {
    return { name, label, type: 'list', options: isFree ? [] : slugs[name] }
  }
  const posts: readonly EditorField[] = [
    { name: 'title', label: 'Title', type: 'text', isRequired: true },
    {
      ...{ name: 'category', label: 'Category', type: isFree ? 'text' : 'select' },
      isRequired: settings.defaults.category === undefined,
      options: isFree ? [] : slugs.categories,
    },
    several('tags', 'Tags'),
    several('authors', 'Authors'),
    { name: 'publishedAt', label: 'Publication', type: 'date', isRequired: true },
    {
      ...{ name: 'status', label: 'Status', type: 'select', isRequired: true },
      ...{ options: ['draft', 'published'], default: 'draft' },
    },
    { name: 'description', label: 'Description', type: 'long text' },
    { name: 'coverImage', label: 'Cover', type: 'image' },
    ...(settings.fields.length === 0
      ? []
      : [
          {
            name: 'fields',
            label: 'Fields',
            type: 'object',
            fields: settings.fields.map(ownField),
          } as const,
        ]),
    { name: 'body', label: 'Content', type: 'body', isRequired: true },
  ]
  const term: readonly EditorField[] = [
    { name: 'name', label: 'Name', type: 'text', isRequired: true },
    { name: 'body', label: 'Description', type: 'body' },
  ]
  const terms = (['categories', 'tags', 'authors'] as const)
    .filter(
      (kind) => !/\.\w+$/.test(folder(kind)) && existsSync(resolve(place.project, folder(kind))),
    )
    .map((kind) => ({
      name: `${id}-${kind}`,
      label: `${title}: ${kind}`,
      folder: folder(kind),
      fields: term,
    }))
  const media = folder('media')
  return {
    media,
    collections: [
      { name: `${id}-posts`, label: `${title}: posts`, folder: folder('posts'), fields: posts },
      ...terms,
    ],
  }
}

function ownField(definition: FieldDefinition): EditorField {
  const { name, label, type, options, isRequired, default: given } = definition
  const usual = given === null ? {} : { default: given }
  return { name, label: label ?? name, type, options, isRequired, ...usual }
}

/** @returns https://decapcms.org/docs/configuration-options/ */
function decapConfig(shapes: readonly WorkspaceShape[], settings: Settings): object {
  const all = shapes.map((shape) => collectionsOf(shape, settings))
  const [first = { media: 'media' }] = all
  return {
    local_backend: true,
    media_folder: first.media,
    public_folder: '../media',
    collections: all.flatMap(({ media, collections }) =>
      collections.map(({ fields, ...collection }) => ({
        ...collection,
        ...{ create: true, slug: '{{slug}}', media_folder: `/${media}`, public_folder: '../media' },
        fields: fields.map(decapField),
      })),
    ),
  }
}

const widgets: Readonly<Record<string, string>> = {
  ...{ 'long text': 'text', number: 'number', boolean: 'boolean', date: 'datetime' },
  ...{ list: 'list', select: 'select', image: 'image', body: 'markdown', object: 'object' },
}

function decapField(field: EditorField): object {
  const { name, label, type, isRequired = false, options = [], fields } = field
  const hasOptions = options.length > 0
  return {
    ...{ name, label, required: isRequired },
    widget: type === 'list' && hasOptions ? 'select' : (widgets[type] ?? 'string'),
    ...(hasOptions ? { options } : {}),
    ...(type === 'list' && hasOptions ? { multiple: true } : {}),
    ...(type === 'number' ? { value_type: 'float' } : {}),
    ...(type === 'date' && isRequired ? { default: '{{now}}' } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(fields === undefined ? {} : { fields: fields.map(decapField) }),
  }
}

/** @returns https://pagescms.org/docs/configuration/ */
function pagesConfig(shapes: readonly WorkspaceShape[], settings: Settings): object {
  const all = shapes.map((shape) => ({ id: shape.id, ...collectionsOf(shape, settings) }))
  return {
    media: all.map(({ id, media }) => ({ name: id, label: id, input: media, output: '../media' })),
    content: all.flatMap(({ id, collections }) =>
      collections.map(({ name, label, folder, fields }) => ({
        ...{ name, label, type: 'collection', path: folder, format: 'yaml-frontmatter' },
        filename: '{primary}.md',
        view: { primary: fields[0]?.name, fields: [fields[0]?.name] },
        fields: fields.map((field) => pagesField(field, id)),
      })),
    ),
  }
}

const pagesTypes: Readonly<Record<string, string>> = {
  ...{ 'long text': 'text', number: 'number', boolean: 'boolean', date: 'date', select: 'select' },
  ...{ image: 'image', body: 'rich-text', object: 'object' },
}

function pagesField(field: EditorField, media: string): object {
  const { name, label, type, isRequired = false, options = [], fields } = field
  const isList = type === 'list'
  const values = options.length === 0 ? {} : { values: options }
  return {
    ...{ name, label, required: isRequired },
    type: isList && options.length > 0 ? 'select' : (pagesTypes[type] ?? 'string'),
    ...(isList && options.length === 0 ? { list: true } : {}),
    ...(options.length > 0
      ? { options: { ...values, ...(isList ? { multiple: true } : {}) } }
      : {}),
    ...(type === 'date' ? { options: { time: true } } : {}),
    ...(type === 'image' ? { options: { media } } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(fields === undefined ? {} : { fields: fields.map((own) => pagesField(own, media)) }),
  }
}

/** Writes the files of every workspace; prints the path of each new or changed file. */
export async function runSchema({
  to = '.quarry',
  ...flags
}: CommonFlags & { readonly to?: string }): Promise<void> {
  const changed = await writeTypes(await readSettings(flags), to)
  for (const path of changed) process.stdout.write(`${relative('.', path)}\n`)
}
