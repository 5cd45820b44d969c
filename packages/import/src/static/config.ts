// Configuration and data files of a site: YAML, JSON and TOML as values, programs as text, which are never run.
import { posix } from 'node:path'
import picomatch from 'picomatch'
import { parseYaml, readDocument } from 'quarry/authoring'
import type { FieldValue } from '../site.ts'
import { isMap, plainValue, type Values } from './front.ts'
import { endOfBraces } from './jsx-tags.ts'
import { dataOfProgram } from './program.ts'
import type { SourceTree } from './source-tree.ts'

/** Reads a YAML, JSON or TOML file, or the literals that a program exports; empty when it is unreadable. */
export function readValues(tree: SourceTree, path: string): FieldValue {
  const text = tree.has(path) ? tree.data(path) : undefined
  if (text === undefined) return {}
  if (path.endsWith('.json')) return parseJson(text)
  if (/js$/.test(path)) return parseJson(JSON.stringify(dataOfProgram(text)?.values ?? {}))
  if (path.endsWith('.toml')) {
    // A TOML file is a document without a body.
    const { value } = readDocument(path, `+++\n${text}\n+++\n`)
    return value === undefined ? {} : plainValue(value.frontMatter)
  }
  const { value } = parseYaml(text, { file: path, firstLine: 1 })
  return value === undefined ? {} : plainValue(value)
}

/** Reads a map; empty when the file has none. */
export function readMap(tree: SourceTree, path: string): Values {
  const value = readValues(tree, path)
  return isMap(value) ? value : {}
}

/** The value of a JSON text, with numbers and booleans as texts; empty when it is none. */
export function parseJson(text: string): FieldValue {
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    )
  } catch {
    return {}
  }
}

/** The configuration of Hugo or Zola, from one file and a folder; `config/_default/NAME.toml` is nested under its name. */
export function readHugoConfig(tree: SourceTree): Values {
  const single = tree.files.find((path) => /^(?:hugo|config|zola)\.(?:toml|ya?ml|json)$/.test(path))
  const main = single === undefined ? {} : readMap(tree, single)
  const parts = tree.below('config/_default').map((path) => {
    const name = posix.basename(path).replace(/\.\w+$/, '')
    const values = readMap(tree, path)
    return /^(?:hugo|config)$/.test(name) ? values : { [name]: values }
  })
  return Object.assign({}, main, ...parts)
}

/** The first text that a configuration file assigns to one of the keys, such as `url: 'https://…'`. */
export function configText(
  tree: SourceTree,
  files: RegExp,
  keys: readonly string[],
): string | undefined {
  for (const path of tree.files.filter((file) => files.test(file))) {
    const text = tree.data(path) ?? ''
    for (const key of keys) {
      const value = assigned(text, key)
      if (value !== undefined) return value
    }
  }
  return undefined
}

/** The first text that a program assigns to a key. */
export function assigned(text: string, key: string): string | undefined {
  // regex: a constant key, and classes that exclude what ends them; read once for a configuration
  return new RegExp(
    `(?:^|[\\s{,])["']?${key}["']?\\s*[:=]\\s*["'\`]([^"'\`\\n$]+)["'\`]`,
    'm',
  ).exec(text)?.[1]
}

/** The texts of configuration files in which comments are left out, or their braces after a match of `within`. */
export function configPrograms(
  tree: SourceTree,
  files: RegExp,
  within?: RegExp,
): readonly string[] {
  return tree.files
    .filter((file) => files.test(file))
    .map((path) => (tree.data(path) ?? '').replace(/^[ \t]*\/\/.*$/gm, ''))
    .flatMap((text) => {
      if (within === undefined) return [text]
      const starts = [...text.matchAll(within)].map(({ index, 0: { length } }) => index + length)
      return starts.map((start) => text.slice(start, endOfBraces(text, start)))
    })
}

/**
 * Finds the files that a configuration file excludes by lists or texts after a key, such as `srcExclude: ['a/*']`.
 *
 * @param within ends before the braces that contain the key
 * @returns the reason why a file, by its path below `base`, is excluded; values that are programs may exclude any file
 */
export function excludedBy(
  tree: SourceTree,
  files: RegExp,
  { name, base, within }: { name: string; base: string; within?: RegExp },
): (path: string) => string | undefined {
  const text = '"[^"\\n]*"|\'[^\'\\n]*\'|`[^`$\\n]*`'
  // regex: a constant key, and a text or a list of texts
  const key = new RegExp(
    `\\b${name}(?:["']?\\s?[:=]|\\.add\\()\\s{0,9}(\\[(?:[\\s,]|${text})*\\]|${text})?`,
    'g',
  )
  const values = configPrograms(tree, files, within).flatMap((program) =>
    Array.from(program.matchAll(key), ([, value]) => value),
  )
  const globs = values.flatMap((value = '') => value.match(/(["'`])(.*?)\1/g) ?? [])
  if (values.includes(undefined))
    return () => `\`${name}\` of the configuration is a program that may exclude it`
  return (path) =>
    path.startsWith(base) &&
    matchesAny(
      path.slice(base.length),
      globs.map((glob) => glob.slice(1, -1)),
    )
      ? `\`${name}\` of the configuration names it`
      : undefined
}

/** An origin without path and trailing slash: `https://example.com`. */
export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:/.test(url)
    ? new URL(url).origin
    : undefined
}

/** The folders with these names at the given location and at the root, and the root itself. */
export function rootsOf(
  tree: SourceTree,
  names: readonly string[],
  parent = '',
): readonly string[] {
  const candidates = [parent, ''].flatMap((folder) => names.map((name) => posix.join(folder, name)))
  const found = [...new Set(candidates)].filter((folder) => tree.below(folder).length > 0)
  return [...found, ...new Set([parent, ''])]
}

/** The folder of the first matching file; `''` for the root and when none matches. */
export function parentOf(tree: SourceTree, pattern: RegExp): string {
  const [first] = tree.files
    .filter((path) => pattern.test(path))
    .sort((a, b) => a.split('/').length - b.split('/').length)
  const folder = first === undefined ? '.' : posix.dirname(first)
  return folder === '.' ? '' : folder
}

/** True when a path matches a glob. @param isPath false if `*` may be a text with `/` */
export function matchesGlob(path: string, glob: string, isPath = true): boolean {
  return glob !== '' && picomatch.isMatch(path, glob, { dot: true, bash: !isPath })
}

/** True when a glob names a path or a folder above it. */
export function matchesTree(path: string, glob: string): boolean {
  return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)
}

/** As `matchesTree`, for any of the globs. */
function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesTree(path, glob.replace(/^\.?\/|\/$/g, '')))
}
