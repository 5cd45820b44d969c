// Writes the files that editors and TypeScript use to check posts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourceKinds, termKinds } from '../api/resources.ts'
import { type Settings, UseError } from '../config.ts'
import { BuildError, isError } from '../diagnostics.ts'
import { type FieldDefinition, indexedFields } from '../model/custom-fields.ts'
import { buildLibrary, type Workspace } from '../model/library.ts'
import { toMappings } from '../model/map-fields.ts'
import {
  type CollectionShape,
  describeWorkspace,
  frontMatterSchema,
  itemSchema,
  settingsJsonSchema,
  type WorkspaceShape,
  workspaceOpenApi,
} from '../model/shapes.ts'
import { BuildCache } from './cache.ts'
import { replaceFile } from './disk.ts'
import { rawContent, readContent } from './read.ts'
import { visibleAt } from './snapshots.ts'

/**
 * Writes four files per workspace, and the types of the virtual modules of `quarry/vite`.
 *
 * @param to path of the folder
 * @returns the paths of new and changed files
 * @throws UseError when the folder holds foreign files, which git would then ignore
 */
export function writeTypes(
  shapes: readonly WorkspaceShape[],
  settings: Settings,
  to: string,
): readonly string[] {
  rejectForeign(to)
  const { posts } = toMappings(settings.frontMatter)
  writeChanged(join(to, '.gitignore'), gitignore)
  const files = shapes.flatMap((shape) => [
    [`${shape.id}/post.schema.json`, json(frontMatterSchema(shape, posts))] as const,
    [`${shape.id}/workspace.schema.json`, json(settingsJsonSchema(shape))] as const,
    [`${shape.id}/fields.d.ts`, siteDeclaration(shape)] as const,
    ...shape.collections.map((collection) => {
      const name = `${shape.id}/collections/${collection.name}.schema.json`
      return [name, json(itemSchema(shape, collection))] as const
    }),
    [`${shape.id}/openapi.json`, json(workspaceOpenApi(shape, settings))] as const,
  ])
  const modules = shapes.map(moduleDeclaration).join('')
  return [...files, ['vite.d.ts', modules] as const]
    .map(([name, text]) => ({ path: join(to, name), text }))
    .filter(({ path, text }) => writeChanged(path, text))
    .map(({ path }) => path)
}

/** Returns the declaration of the virtual module of a workspace. */
function moduleDeclaration({ id, collections }: WorkspaceShape): string {
  const site = `import(${JSON.stringify(`./${id}/fields.d.ts`)}).Site`
  const client = "import('quarry/client')"
  const own = `${site}['collections']`
  const list = `{ readonly [Name in keyof ${own}]: readonly ${client}.Item<${own}[Name]>[] }`
  return [
    `declare module ${JSON.stringify(`virtual:quarry/${id}`)} {`,
    `  export const posts: readonly ${client}.Post<${site}>[]`,
    `  export const categories: readonly ${client}.CountedTerm<${site}['categories']>[]`,
    `  export const tags: readonly ${client}.CountedTerm<${site}['tags']>[]`,
    `  export const authors: readonly ${client}.Author<${site}['authors']>[]`,
    ...(collections.length > 0 ? [`  export const collections: ${list}`] : []),
    '}',
    '',
  ].join('\n')
}

/** The folder is generated, so git ignores it. The file also marks the folder as quarry's. */
const gitignore = '*\n'

function rejectForeign(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  const mark = join(folder, '.gitignore')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === gitignore) return
  throw new UseError(
    `--to is ${JSON.stringify(folder)}, which contains files that quarry schema did not write. Choose an empty folder.`,
  )
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Writes only changed files, as editors and watchers react to every write. @returns true when it was written */
function writeChanged(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  replaceFile(path, text)
  return true
}

/**
 * Reads the shapes of all workspaces, without rendering. Posts with errors are excluded.
 *
 * @param now milliseconds since 1970
 * @throws BuildError with every problem when one of them is an error
 * @throws UseError when there is no content folder
 */
export async function loadShapes(
  settings: Settings,
  now: number = Date.now(),
): Promise<readonly WorkspaceShape[]> {
  // The cache is neither read nor saved.
  const cache = new BuildCache(settings.cache, '', '', true)
  const content = await readContent(settings, cache)
  const raw = await rawContent(content, cache)
  // Links are not part of a shape.
  const links = { links: { broken: 'ignore' } } as const
  const options = { ...links, gitDates: content.gitDates }
  const { workspaces, diagnostics } = buildLibrary(raw, settings.frontMatter, options, now)
  const posts = new Set(
    content.files.flatMap(({ path, role }) => ('of' in role && role.of === 'posts' ? [path] : [])),
  )
  const ofShapes = [...raw.diagnostics, ...diagnostics].filter(({ file }) => !posts.has(file))
  if (ofShapes.some(isError)) throw new BuildError(ofShapes, settings.content)
  return shapesOf(workspaces, now)
}

/** Returns the shapes of workspaces, without scheduled posts. @param now milliseconds since 1970 */
export function shapesOf(workspaces: readonly Workspace[], now: number): readonly WorkspaceShape[] {
  return workspaces.map((workspace) => {
    const collections = workspace.collections.map((each) => visibleAt(each, now))
    return describeWorkspace({ ...visibleAt(workspace, now), collections })
  })
}

/** Maximum size of a union of names; larger unions become `string`. TypeScript rejects 100,000 names. */
const namesMax = 10_000

/** Returns a module of two types: `Fields` is the type of `post.fields`, and `Site` adds the slugs. */
function siteDeclaration({ id, settings, collections, slugs }: WorkspaceShape): string {
  const members = settings.fields.map(member)
  const body = members.length === 0 ? '{}' : `{\n${members.join('')}}`
  const own = collections.map(collectionMember)
  return [
    `// Written by \`quarry schema\` from what ${JSON.stringify(id)} defines: run it again when that changes.`,
    '',
    `/** The fields of every post of ${commentText(JSON.stringify(id))}. */`,
    `export type Fields = ${body}`,
    '',
    '/** Its slugs and fields, for `createClient<Site>(…)`. */',
    'export interface Site {',
    ...resourceKinds.map((kind) => `  readonly ${kind}: ${namesOf(slugs[kind])}`),
    `  readonly fields: ${members.length === 0 ? 'undefined' : 'Fields'}`,
    `  readonly indexed: ${indexedNames(settings.fields)}`,
    ...(own.length === 0 ? [] : ['  readonly collections: {', ...own, '  }']),
    '}',
    '',
  ].join('\n')
}

function collectionMember({ name, fields, slugs }: CollectionShape): string {
  const members = fields.length === 0 ? 'undefined' : `{\n${fields.map(member).join('')}    }`
  return `    readonly ${JSON.stringify(name)}: { readonly slug: ${namesOf(slugs)}; readonly indexed: ${indexedNames(fields)}; readonly fields: ${members} }`
}

function namesOf(names: readonly string[]): string {
  if (names.length > namesMax) return 'string'
  const lines = names.map((name) => `\n    | ${JSON.stringify(name)}`)
  return lines.length === 0 ? 'never' : lines.join('')
}

function indexedNames(fields: readonly FieldDefinition[]): string {
  return namesOf(indexedFields(fields).map(({ name }) => name))
}

function member(definition: FieldDefinition): string {
  const { name, label, description, isRequired, default: given } = definition
  const about = [label, description].filter((text) => text !== null).join(': ')
  const comment = about === '' ? '' : `  /** ${commentText(about)} */\n`
  const isNever = isRequired || given !== null || definition.type === 'references'
  return `${comment}  readonly ${JSON.stringify(name)}: ${typeOf(definition)}${isNever ? '' : ' | null'}\n`
}

function typeOf({ type, options, to, fields }: FieldDefinition): string {
  const name = termKinds.some((kind) => kind === to) ? 'name' : 'title'
  const summary = `{ readonly id: string; readonly slug: string; readonly ${name}: string }`
  const object = `{\n${fields.map(member).join('')}}`
  if (type === 'reference') return summary
  if (type === 'references') return `readonly ${summary}[]`
  if (type === 'object') return object
  if (type === 'objects') return `readonly ${object}[]`
  if (type === 'json') return 'unknown'
  if (type === 'image')
    return '{ readonly src: string; readonly width: number | null; readonly height: number | null }'
  const choice = options.map((option) => JSON.stringify(option)).join(' | ')
  if (type === 'number' || type === 'boolean') return type
  if (type === 'select') return choice
  if (type !== 'list') return 'string'
  return choice === '' ? 'readonly string[]' : `readonly (${choice})[]`
}

/** Makes text safe for a comment: one line, without the end of a comment. */
function commentText(text: string): string {
  return text.replace(/\s+/gu, ' ').replaceAll('*/', '*\\/')
}
