// `quarry editor`: writes the configuration of an editor for people who do not use Git.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, posix, relative, resolve } from 'node:path'
import { type Document, isMap, isNode, isSeq, parseDocument } from 'yaml'
import { realPath } from '../build/disk.ts'
import { loadShapes, writeTypes } from '../build/types.ts'
import type { Settings } from '../config.ts'
import { isInside } from '../content/mounts.ts'
import { UseError } from '../diagnostics.ts'
import type { FieldDefinition } from '../model/custom-fields.ts'
import type { WorkspaceShape } from '../model/shapes.ts'
import { type CommonFlags, type EditorName, readSettings } from './settings.ts'

/** Runs `quarry editor`. Keeps keys that a person added to the configuration. */
export async function runEditor(
  name: EditorName,
  flags: CommonFlags & { readonly to?: string },
): Promise<void> {
  const settings = await readSettings(flags)
  const shapes = await loadShapes(settings)
  const isPages = name === 'pages'
  const to = resolve(flags.to ?? (isPages ? '.pages.yml' : 'admin/config.yml'))
  if (statSync(to, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UseError(`${to} is a folder. Name a file with --to.`)
  if (isInside(realPath(to), realPath(resolve(settings.content))))
    throw new UseError(`${to} is inside the content folder. Choose another file with --to.`)
  const document = parseDocument(existsSync(to) ? readFileSync(to, 'utf8') : '{}')
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new UseError(`${to} is not a map in YAML. Fix or remove it.`)
  if (document.contents.items.length === 0) document.contents.flow = false
  const made = isPages ? pagesConfig(shapes, settings) : decapConfig(shapes, settings)
  const backend = { name: 'github', repo: 'OWNER/REPOSITORY' }
  for (const [key, usual] of Object.entries({ backend, local_backend: true }))
    if (!isPages && !document.has(key)) document.set(key, document.createNode(usual))
  merge(document, document.contents, made)
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, String(document))
  process.stdout.write(`Wrote ${to}.\n`)
}

/** Merges a value into a node, if there is one. Items of lists match by `name`. Other items and keys stay. */
function merge(document: Document, node: unknown, value: unknown): unknown {
  if (isMap(node) && isRecord(value)) {
    for (const [key, own] of Object.entries(value))
      node.set(key, merge(document, node.get(key, true), own))
    return node
  }
  if (isSeq(node) && Array.isArray(value) && value.every(isRecord)) {
    for (const own of value) {
      const at = node.items.findIndex((item) => isMap(item) && item.get('name') === own['name'])
      node.items[at < 0 ? node.items.length : at] = merge(document, node.items[at], own)
    }
    return node
  }
  const isSame = isNode(node) && JSON.stringify(node.toJS(document)) === JSON.stringify(value)
  return isSame ? node : document.createNode(value, { aliasDuplicateObjects: false })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of an editor. It has no default, because editors write defaults into existing entries. */
interface EditorField {
  readonly name: string
  readonly label: string
  readonly required: boolean
  readonly type: FieldDefinition['type'] | 'list' | 'long text' | 'body'
  readonly options?: readonly string[]
  readonly fields?: readonly EditorField[]
}

function field(
  name: string,
  label: string,
  type: EditorField['type'],
  more: Partial<EditorField> = {},
): EditorField {
  return { name, label, required: false, type, ...more }
}

const required = { required: true }
const title = field('title', 'Title', 'text')
const date = field('publishedAt', 'Publication', 'date')
const status = field('status', 'Status', 'select', { options: ['draft', 'published'] })
const body = field('body', 'Content', 'body')
const ofAuthors = [field('image', 'Image', 'image'), field('role', 'Role', 'text')]

/** Returns the Markdown folders of a workspace as collections of an editor. */
function collectionsOf({ id, settings, slugs, collections }: WorkspaceShape, place: Settings) {
  const paths: Readonly<Record<string, string | undefined>> = { ...place.workspaces[id] }
  const folder = (part: string) => paths[part] ?? posix.join(place.content, id, part)
  const items = collections.map((collection) => [collection.name, collection.slugs] as const)
  const targets = { ...slugs, ...Object.fromEntries(items), posts: [] } // posts are too many
  const isFree = settings.references === 'create'
  const of = (kind: keyof typeof slugs) => ({ options: isFree ? [] : slugs[kind] })
  const ownFields = (fields: readonly FieldDefinition[]) => fieldsOf(fields, targets)
  const fields = ownFields(settings.fields)
  const isFiled = settings.defaults.category !== undefined
  const posts = [
    { ...title, ...required },
    field('category', 'Category', 'text', { ...of('categories'), required: !isFiled }),
    field('tags', 'Tags', 'list', of('tags')),
    field('authors', 'Authors', 'list', of('authors')),
    date,
    { ...status, ...required },
    field('description', 'Description', 'long text'),
    field('coverImage', 'Cover', 'image'),
    ...(fields.length === 0 ? [] : [field('fields', 'Fields', 'object', { fields })]),
    { ...body, ...required },
  ]
  const terms = (['categories', 'tags', 'authors'] as const).map((kind) => {
    const more = [...(kind === 'authors' ? ofAuthors : []), ...ownFields(settings.fieldsOf[kind])]
    const name = field('name', 'Name', 'text', required)
    return { name: kind, folder: folder(kind), fields: [name, ...more, body] }
  })
  const own = settings.collections.map(({ name, source, fields }) => ({
    ...{ name, folder: posix.join(place.content, id, source) },
    fields: [title, ...ownFields(fields), date, status, body],
  }))
  const others = [...terms, ...own].filter(
    ({ folder }) => !/\.\w+$/.test(folder) && existsSync(resolve(place.project, folder)),
  )
  // The first collection is posts, whose file names have a date.
  const all = [{ name: 'posts', folder: folder('posts'), fields: posts }, ...others]
  return {
    ...{ id, media: folder('media') },
    collections: all.map(({ name, ...collection }) => ({
      ...{ name: `${id}-${name}`, label: `${settings.name ?? id}: ${name}` },
      ...collection,
    })),
  }
}

/** @param targets slugs that references may name, by the kind or collection of their target */
function fieldsOf(
  definitions: readonly FieldDefinition[],
  targets: Readonly<Record<string, readonly string[]>>,
): readonly EditorField[] {
  return definitions.flatMap(({ name, label, type, isRequired, to, options, fields }) => {
    if (type === 'json') return []
    const own = { required: isRequired, options: to === '' ? options : (targets[to] ?? []) }
    const below = fields.length === 0 ? {} : { fields: fieldsOf(fields, targets) }
    return [field(name, label ?? name, type === 'references' ? 'list' : type, { ...own, ...below })]
  })
}

/** Converts a field to the format of an editor. @param own returns the keys that only this editor has */
function written({ type, options = [], fields, ...shared }: EditorField, own: OwnKeys): object {
  const below = fields && { fields: fields.map((each) => written(each, own)) }
  return { ...shared, ...own(type, options, type === 'list' ? { multiple: true } : {}), ...below }
}

type OwnKeys = (type: EditorField['type'], options: readonly string[], several: object) => object

/** Returns a configuration: https://decapcms.org/docs/configuration-options/ */
function decapConfig(shapes: readonly WorkspaceShape[], settings: Settings): object {
  const all = shapes.map((shape) => collectionsOf(shape, settings))
  const [first = { media: 'media' }] = all
  return {
    media_folder: first.media,
    // Sveltia rejects a relative path here.
    public_folder: '/media',
    output: { omit_empty_optional_fields: true },
    collections: all.flatMap(({ media, collections }) =>
      collections.map(({ fields, ...collection }, at) => ({
        ...collection,
        // This also lists the files of subfolders.
        nested: { depth: 9 },
        create: true,
        slug: at === 0 ? '{{year}}-{{month}}-{{day}}-{{slug}}' : '{{slug}}',
        ...{ media_folder: `/${media}`, public_folder: posix.relative(collection.folder, media) },
        fields: fields.map((each) => written(each, decapKeys)),
      })),
    ),
  }
}

const widgets: Readonly<Record<string, string>> = {
  ...{ 'long text': 'text', number: 'number', boolean: 'boolean', date: 'datetime' },
  ...{ list: 'list', objects: 'list', image: 'image', body: 'markdown', object: 'object' },
}

const decapKeys: OwnKeys = (type, options, several) => ({
  ...(options.length > 0
    ? { widget: 'select', options, ...several }
    : { widget: widgets[type] ?? 'string' }),
  ...(type === 'number' ? { value_type: 'float' } : {}),
  // Sveltia opens the first mode. Its rich text would escape emphasis that spans lines.
  ...(type === 'body' ? { modes: ['raw', 'rich_text'] } : {}),
})

/** Returns a configuration: https://pagescms.org/docs/configuration/ */
function pagesConfig(shapes: readonly WorkspaceShape[], settings: Settings): object {
  const all = shapes.map((shape) => collectionsOf(shape, settings))
  return {
    // Without this setting, saving an entry removes keys that have no field here.
    settings: { content: { merge: true } },
    media: all.map(({ id, media, collections }) => ({
      ...{ name: id, label: id, input: media },
      output: posix.relative(collections[0]?.folder ?? '', media),
    })),
    content: all.flatMap(({ id, collections }) =>
      collections.map(({ name, label, folder, fields }, at) => ({
        ...{ name, label, type: 'collection', path: folder, format: 'yaml-frontmatter' },
        filename: at === 0 ? '{year}-{month}-{day}-{primary}.md' : '{primary}.md',
        fields: fields.map((each) => written(each, pagesKeys(id))),
      })),
    ),
  }
}

/** Types of fields in Pages CMS. Dates are texts, because Pages CMS deletes dates in other formats. */
const pagesTypes: Readonly<Record<string, string>> = {
  ...{ 'long text': 'text', number: 'number', boolean: 'boolean', objects: 'object' },
  ...{ image: 'image', body: 'rich-text', object: 'object' },
}

function pagesKeys(media: string): OwnKeys {
  return (type, values, several) => {
    if (values.length > 0) return { type: 'select', options: { values, ...several } }
    return {
      type: pagesTypes[type] ?? 'string',
      ...(type === 'objects' || type === 'list' ? { list: true } : {}),
      ...(type === 'image' ? { options: { media } } : {}),
    }
  }
}

/** Runs `quarry schema`: writes the files of every workspace and prints the path of each new or changed file. */
export async function runSchema({
  to = '.quarry',
  ...flags
}: CommonFlags & { readonly to?: string }): Promise<void> {
  const settings = await readSettings(flags)
  const shapes = await loadShapes(settings)
  for (const path of writeTypes(shapes, settings, to))
    process.stdout.write(`${relative('.', path)}\n`)
}
