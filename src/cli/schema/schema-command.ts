// `quarry schema`: JSON Schemas of front matter and settings for editors, and types of names and fields for the client.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { UseError } from '../../config.ts'
import { writeNewFile } from '../../emit/whole-file.ts'
import { siteDeclaration } from '../../model/field-declaration.ts'
import { mappingsOf } from '../../model/front-matter-mapping.ts'
import { frontMatterSchema } from '../../model/front-matter-schema.ts'
import { settingsJsonSchema } from '../../model/settings-json-schema.ts'
import { loadShapes } from '../../pipeline/shapes.ts'
import { type CommonFlags, readSettings } from '../options.ts'

/** The flags of `quarry schema`. */
export interface SchemaFlags extends CommonFlags {
  /** The folder that is written to. */
  readonly to: string
}

/**
 * Writes three files a workspace; prints the path of each that is new or has changed.
 *
 * @throws UseError when the folder holds files of somebody else, which git would not see any more
 */
export async function runSchema(flags: SchemaFlags): Promise<void> {
  const settings = await readSettings(flags)
  refuseForeign(flags.to)
  const { posts } = mappingsOf(settings.frontMatter)
  const shapes = await loadShapes(settings)
  writeChanged(join(flags.to, '.gitignore'), ignoreAll)
  const changed = shapes
    .flatMap((shape) => [
      [shape.id, 'post.schema.json', json(frontMatterSchema(shape, posts))] as const,
      [shape.id, 'workspace.schema.json', json(settingsJsonSchema(shape))] as const,
      [shape.id, 'fields.d.ts', siteDeclaration(shape, shape.slugs)] as const,
    ])
    .map(([workspace, name, text]) => ({ path: join(flags.to, workspace, name), text }))
    .filter(({ path, text }) => writeChanged(path, text))
  for (const { path } of changed) process.stdout.write(`${relative('.', path)}\n`)
}

/** Made from the content, so nothing to keep in git; says also that the folder is one of ours. */
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

/** Editors and watchers look again only at what is another. @returns true when it was written */
function writeChanged(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true })
  const staged = `${path}.${process.pid}.tmp`
  writeNewFile(staged, Buffer.from(text))
  renameSync(staged, path)
  return true
}
