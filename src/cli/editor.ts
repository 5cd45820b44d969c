// `quarry editor`: writes the configuration of an editor for people who do not use Git.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, posix, relative, resolve } from 'node:path'
import { type Document, isMap, isSeq, type Node, parseDocument, type YAMLSeq } from 'yaml'
import { loadShapes, writeTypes } from '../build/types.ts'
import type { Settings } from '../config.ts'
import { UseError } from '../diagnostics.ts'
import type { FieldDefinition } from '../model/custom-fields.ts'
import type { WorkspaceShape } from '../model/shapes.ts'
import { errorFromWorkingFolder } from './report.ts'
import { type CommonFlags, type EditorName, readSettings } from './settings.ts'

/** Writes the configuration. Keys that a person added to it are kept. */
export async function runEditor(
  name: EditorName,
  flags: CommonFlags & { readonly to?: string },
): Promise<void> {
  const settings = await readSettings(flags)
  const shapes = await loadShapes(settings).catch((error) => {
    throw errorFromWorkingFolder(error, settings.content)
  })
  const isPages = name === 'pages'
  const to = resolve(flags.to ?? (isPages ? '.pages.yml' : 'admin/config.yml'))
  const document = parseDocument(existsSync(to) ? readFileSync(to, 'utf8') : '{}')
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new UseError(`${to} is not a map in YAML. Fix or remove it.`)
  if (document.contents.items.length === 0) document.contents.flow = false
  const made = isPages ? pagesConfig(shapes, settings) : decapConfig(shapes, settings)
  const backend = { name: 'github', repo: 'OWNER/REPOSITORY' }
  for (const [key, usual] of Object.entries({ backend, local_backend: true }))
    if (!isPages && !document.has(key)) document.set(key, toNode(document, usual))
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
      node.set(key, known ? merge(document, known, own) : toNode(document, own))
    }
    return node
  }
  if (isSeq(node) && Array.isArray(value) && value.every(isRecord)) {
    for (const own of value) addItem(document, node, own)
    return node
  }
  const isSame = JSON.stringify(node.toJS(document)) === JSON.stringify(value)
  return isSame ? node : toNode(document, value)
}

function addItem(document: Document, list: YAMLSeq, value: Readonly<Record<string, unknown>>) {
  const known = list.items.find((item) => isMap(item) && item.get('name') === value['name'])
  if (known === undefined) list.add(toNode(document, value))
  else merge(document, known as Node, value)
}

function toNode(document: Document, value: unknown): Node {
  return document.createNode(value, { aliasDuplicateObjects: false })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of an editor, in quarry's terms. It has no default, which editors write into entries that exist. */
interface EditorField {
  readonly name: string
  readonly label: string
  readonly type: FieldDefinition['type'] | 'long text' | 'body'
  readonly isRequired?: boolean
  readonly options?: readonly string[]
  readonly fields?: readonly EditorField[]
}

/** The folders of Markdown of a workspace, as collections of an editor. */
function collectionsOf(shape: WorkspaceShape, place: Settings) {
  const { id, settings, slugs } = shape
  const paths: Readonly<Record<string, string | undefined>> = { ...place.workspaces[id] }
  const folder = (part: string) => paths[part] ?? posix.join(place.content, id, part)
  const isFree = settings.references === 'create'
  const items = shape.collections.map((collection) => [collection.name, collection.slugs] as const)
  const targets = { ...slugs, ...Object.fromEntries(items), posts: [] } // posts are too many
  const choice = (name: string, label: string, kind: 'categories' | 'tags' | 'authors') => {
    const type = kind === 'categories' ? 'text' : 'list'
    return { name, label, type, options: isFree ? [] : slugs[kind] } as const
  }
  const ownFields = (fields: readonly FieldDefinition[]): readonly EditorField[] =>
    fields.flatMap((field) => (field.type === 'json' ? [] : [ownField(field, targets)]))
  const title = { name: 'title', label: 'Title', type: 'text' } as const
  const states = ['draft', 'published']
  const status = { name: 'status', label: 'Status', type: 'select', options: states } as const
  const date = { name: 'publishedAt', label: 'Publication', type: 'date' } as const
  const body = { name: 'body', label: 'Content', type: 'body' } as const
  const fields = ownFields(settings.fields)
  const own = { name: 'fields', label: 'Fields', type: 'object', fields } as const
  const posts: readonly EditorField[] = [
    { ...title, isRequired: true },
    {
      ...choice('category', 'Category', 'categories'),
      isRequired: settings.defaults.category === undefined,
    },
    choice('tags', 'Tags', 'tags'),
    choice('authors', 'Authors', 'authors'),
    date,
    { ...status, isRequired: true },
    { name: 'description', label: 'Description', type: 'long text' },
    { name: 'coverImage', label: 'Cover', type: 'image' },
    ...(fields.length === 0 ? [] : [own]),
    { ...body, isRequired: true },
  ]
  const image = { name: 'image', label: 'Image', type: 'image' } as const
  const ofAuthors = [image, { ...title, name: 'role', label: 'Role' }]
  const terms = (['categories', 'tags', 'authors'] as const).map((kind) => ({
    ...{ name: kind, folder: folder(kind) },
    fields: [
      { ...title, name: 'name', label: 'Name', isRequired: true },
      ...(kind === 'authors' ? ofAuthors : []),
      ...ownFields(settings.fieldsOf[kind]),
      body,
    ],
  }))
  const collections = settings.collections.map(({ name, source, fields }) => ({
    ...{ name, folder: posix.join(place.content, id, source) },
    fields: [title, ...ownFields(fields), date, status, body],
  }))
  const others = [...terms, ...collections].filter(
    ({ folder }) => !/\.\w+$/.test(folder) && existsSync(resolve(place.project, folder)),
  )
  // The names of new posts, which are first, have their date.
  const all = [{ name: 'posts', folder: folder('posts'), fields: posts }, ...others]
  return {
    media: folder('media'),
    collections: all.map(({ name, ...collection }) => ({
      ...{ name: `${id}-${name}`, label: `${settings.name ?? id}: ${name}` },
      ...collection,
    })),
  }
}

/** @param targets what references may name, by the kind or collection of their target */
function ownField(
  definition: FieldDefinition,
  targets: Readonly<Record<string, readonly string[]>>,
): EditorField {
  const { name, label, type, isRequired, to, fields } = definition
  return {
    ...{ name, label: label ?? name, isRequired },
    type: type === 'references' ? 'list' : type,
    options: to === '' ? definition.options : (targets[to] ?? []),
    ...(fields.length === 0 ? {} : { fields: fields.map((field) => ownField(field, targets)) }),
  }
}

/** @returns https://decapcms.org/docs/configuration-options/ */
function decapConfig(shapes: readonly WorkspaceShape[], settings: Settings): object {
  const all = shapes.map((shape) => collectionsOf(shape, settings))
  const [first = { media: 'media' }] = all
  return {
    media_folder: first.media,
    // Sveltia refuses a relative path here.
    public_folder: '/media',
    output: { omit_empty_optional_fields: true },
    collections: all.flatMap(({ media, collections }) =>
      collections.map(({ fields, ...collection }, at) => ({
        ...collection,
        // Also lists the files of sub-folders.
        nested: { depth: 9 },
        create: true,
        slug: at === 0 ? '{{year}}-{{month}}-{{day}}-{{slug}}' : '{{slug}}',
        ...{ media_folder: `/${media}`, public_folder: posix.relative(collection.folder, media) },
        fields: fields.map(decapField),
      })),
    ),
  }
}

const widgets: Readonly<Record<string, string>> = {
  ...{ 'long text': 'text', number: 'number', boolean: 'boolean', date: 'datetime' },
  ...{ list: 'list', objects: 'list', image: 'image', body: 'markdown', object: 'object' },
}

function decapField(field: EditorField): object {
  const { name, label, type, isRequired = false, options = [], fields } = field
  const choice = { widget: 'select', options, ...(type === 'list' ? { multiple: true } : {}) }
  return {
    ...{ name, label, required: isRequired },
    ...(options.length > 0 ? choice : { widget: widgets[type] ?? 'string' }),
    ...(type === 'number' ? { value_type: 'float' } : {}),
    // Sveltia begins with the first: its rich text escapes emphasis that spans lines.
    ...(type === 'body' ? { modes: ['raw', 'rich_text'] } : {}),
    ...(fields === undefined ? {} : { fields: fields.map(decapField) }),
  }
}

/** @returns https://pagescms.org/docs/configuration/ */
function pagesConfig(shapes: readonly WorkspaceShape[], settings: Settings): object {
  const all = shapes.map((shape) => ({ id: shape.id, ...collectionsOf(shape, settings) }))
  return {
    // Without it, saving an entry removes the keys that have no field here.
    settings: { content: { merge: true } },
    media: all.map(({ id, media, collections }) => ({
      ...{ name: id, label: id, input: media },
      output: posix.relative(collections[0]?.folder ?? '', media),
    })),
    content: all.flatMap(({ id, collections }) =>
      collections.map(({ name, label, folder, fields }, at) => ({
        ...{ name, label, type: 'collection', path: folder, format: 'yaml-frontmatter' },
        filename: at === 0 ? '{year}-{month}-{day}-{primary}.md' : '{primary}.md',
        fields: fields.map((field) => pagesField(field, id)),
      })),
    ),
  }
}

/** Dates are texts: Pages CMS empties those that are not in its own format. */
const pagesTypes: Readonly<Record<string, string>> = {
  ...{ 'long text': 'text', number: 'number', boolean: 'boolean', objects: 'object' },
  ...{ image: 'image', body: 'rich-text', object: 'object' },
}

function pagesField(field: EditorField, media: string): object {
  const { name, label, type, isRequired = false, options = [], fields } = field
  const isChoice = options.length > 0
  const choice = { values: options, ...(type === 'list' ? { multiple: true } : {}) }
  return {
    ...{ name, label, required: isRequired },
    type: isChoice ? 'select' : (pagesTypes[type] ?? 'string'),
    ...(type === 'objects' || (type === 'list' && !isChoice) ? { list: true } : {}),
    ...(isChoice ? { options: choice } : type === 'image' ? { options: { media } } : {}),
    ...(fields === undefined ? {} : { fields: fields.map((own) => pagesField(own, media)) }),
  }
}

/** Writes the files of every workspace; prints the path of each new or changed file. */
export async function runSchema({
  to = '.quarry',
  ...flags
}: CommonFlags & { readonly to?: string }): Promise<void> {
  const settings = await readSettings(flags)
  const changed = await writeTypes(settings, to).catch((error) => {
    throw errorFromWorkingFolder(error, settings.content)
  })
  for (const path of changed) process.stdout.write(`${relative('.', path)}\n`)
}
