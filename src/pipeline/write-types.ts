// Writes the files with which editors and TypeScript check posts.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Settings, UseError } from '../config.ts'
import { writeNewFile } from '../emit/whole-file.ts'
import { siteDeclaration } from '../model/field-declaration.ts'
import { mappingsOf } from '../model/front-matter-mapping.ts'
import { frontMatterSchema } from '../model/front-matter-schema.ts'
import { settingsJsonSchema } from '../model/settings-json-schema.ts'
import { workspaceOpenApi } from '../model/workspace-openapi.ts'
import { loadShapes } from './shapes.ts'

/**
 * Writes four files per workspace, and the types of the virtual modules of `quarry/vite`.
 *
 * @param to the folder
 * @returns the paths of new and changed files
 * @throws UseError when the folder holds foreign files, which git would then ignore
 */
export async function writeTypes(settings: Settings, to: string): Promise<readonly string[]> {
  refuseForeign(to)
  const { posts } = mappingsOf(settings.frontMatter)
  const shapes = await loadShapes(settings)
  writeChanged(join(to, '.gitignore'), ignoreAll)
  const files = shapes.flatMap((shape) => [
    [`${shape.id}/post.schema.json`, json(frontMatterSchema(shape, posts))] as const,
    [`${shape.id}/workspace.schema.json`, json(settingsJsonSchema(shape))] as const,
    [`${shape.id}/fields.d.ts`, siteDeclaration(shape, shape.slugs)] as const,
    [`${shape.id}/openapi.json`, json(workspaceOpenApi(shape, shape.slugs, settings))] as const,
  ])
  const modules = shapes.map(({ id }) => moduleDeclaration(id)).join('')
  return [...files, ['vite.d.ts', modules] as const]
    .map(([name, text]) => ({ path: join(to, name), text }))
    .filter(({ path, text }) => writeChanged(path, text))
    .map(({ path }) => path)
}

/** The virtual module of a workspace. */
function moduleDeclaration(id: string): string {
  const site = `import(${JSON.stringify(`./${id}/fields.d.ts`)}).Site`
  const client = "import('quarry/client')"
  return [
    `declare module ${JSON.stringify(`virtual:quarry/${id}`)} {`,
    `  export const posts: readonly ${client}.Post<${site}>[]`,
    `  export const categories: readonly ${client}.CountedTerm<${site}['categories']>[]`,
    `  export const tags: readonly ${client}.CountedTerm<${site}['tags']>[]`,
    `  export const authors: readonly ${client}.Author<${site}['authors']>[]`,
    '}',
    '',
  ].join('\n')
}

/** The folder is generated, so git ignores it. The file also marks the folder as quarry's. */
const ignoreAll = '*\n'

function refuseForeign(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  const mark = join(folder, '.gitignore')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === ignoreAll) return
  throw new UseError(
    `--to is ${JSON.stringify(folder)}, which holds files that quarry schema did not write. Choose a folder of its own.`,
  )
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Writes only changed files, as editors and watchers react to every write. @returns true when it was written */
function writeChanged(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true })
  const staged = `${path}.${process.pid}.tmp`
  writeNewFile(staged, Buffer.from(text))
  renameSync(staged, path)
  return true
}
