// Data files of Eleventy that apply to a template or to all templates of a folder.
import { posix } from 'node:path'
import type { ImportReport } from '../report.ts'
import type { FieldValue } from '../site.ts'
import { asList, isMap, type Values } from './front.ts'
import type { PostFile } from './generator.ts'
import { matchesTree } from './globs.ts'
import { readMap } from './liquid-data.ts'
import type { SourceTree } from './source-tree.ts'

/** Creates a reader of data files and of `.eleventyignore` for a template; each file is read once. */
export function directoryData(
  tree: SourceTree,
  report: ImportReport,
): (path: string) => Pick<PostFile, 'withheld' | 'defaults'> {
  const known = new Map<string, DataFiles>()
  const read = (base: string): DataFiles => {
    const found = known.get(base) ?? readData(tree, base, report)
    known.set(base, found)
    return found
  }
  const isIgnored = ignored(tree, '.eleventyignore')
  return (path) => {
    const folders = path.split('/').slice(0, -1)
    const bases = [
      ...folders.map((name, index) => posix.join(...folders.slice(0, index + 1), name)),
      path.replace(/\.\w+$/, ''),
    ]
    const found = bases.map(read)
    const program = found.find(({ program }) => program !== undefined)?.program
    const withheld = isIgnored(path) ? '`.eleventyignore` names it' : program
    const defaults = found.reduce<Values>((all, { values }) => merged(all, values), {})
    return { ...(withheld === undefined ? {} : { withheld }), defaults }
  }
}

interface DataFiles {
  readonly values: Values
  /** The reason, if a program may withhold the templates. */
  readonly program: string | undefined
}

/** @param base path without extension: `posts/posts` for the folder `posts` */
function readData(tree: SourceTree, base: string, report: ImportReport): DataFiles {
  const values = [`${base}.json`, `${base}.11tydata.json`].map((path) => readMap(tree, path))
  const path = ['js', 'cjs', 'mjs', 'ts']
    .map((end) => `${base}.11tydata.${end}`)
    .find((name) => tree.has(name))
  if (path !== undefined) report.add('left', 'data file that is a program: not run', path)
  const code = path === undefined ? '' : (tree.text(path) ?? '')
  const program = mayWithhold.test(code.replace(harmless, ''))
    ? `\`${path}\` is a program that may withhold it`
    : undefined
  return { values: values.reduce(merged, {}), program }
}

/** A key that can withhold a template, in a program. */
const mayWithhold =
  /\b(?:permalink|drafts?|isDraft|published|publish|private|hidden|unlisted|status|password|eleventyExcludeFromCollections)\b/
/** Assignments of texts and of values that publish. */
const harmless =
  /\b(?:permalink["']?[ \t]{0,9}:[ \t]{0,9}(?:"[^"\n]*"|'[^'\n]*')|drafts?["']?:[ \t]?false|published["']?:[ \t]?true)/g

/** Values over others, as Eleventy merges them: maps by key, lists one after the other. */
export function merged(under: Values, over: Values): Values {
  const entries = Object.entries(over).map(([key, value]): [string, FieldValue] => {
    const other = under[key]
    if (isMap(other) && isMap(value)) return [key, merged(other, value)]
    return [key, Array.isArray(other) ? [...other, ...asList(value)] : value]
  })
  return { ...under, ...Object.fromEntries(entries) }
}

/** Templates that files such as `.eleventyignore` name, in the syntax of `.gitignore`. */
export function ignored(tree: SourceTree, name: string): (path: string) => boolean {
  const files = tree.files.filter((path) => posix.basename(path) === name)
  const rules = files.flatMap((file) =>
    (tree.text(file) ?? '').split('\n').flatMap((line) => {
      const [, not, glob = ''] = /^(!?)(?:\.?\/)?(.*)$/.exec(line.trim()) ?? []
      const folder = posix.dirname(file) === '.' ? '' : `${posix.dirname(file)}/`
      const anywhere = glob.replace(/\/$/, '').includes('/') || line.startsWith('/') ? '' : '**/'
      if (glob === '' || glob.startsWith('#')) return []
      return [{ isIgnored: not === '', glob: folder + anywhere + glob.replace(/\/$/, '') }]
    }),
  )
  return (path) => rules.findLast(({ glob }) => matchesTree(path, glob))?.isIgnored ?? false
}
