// The files of a foreign site: listed once, without following symbolic links, and read within limits.
import { realpathSync } from 'node:fs'
import { posix } from 'node:path'
import fastGlob from 'fast-glob'
import picomatch from 'picomatch'
import {
  decodeText,
  imageBytesMax,
  imageTypeOf,
  parseYaml,
  readDocument,
  readFileBytes,
} from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import { trimmedEnd } from '../parts.ts'
import type { FieldValue } from '../site.ts'
import { endOfBraces } from './code-mask.ts'
import { dataOfProgram, isMap, parseJson, plainValue, type Values } from './front.ts'

/** A folder with the sources of a site. */
export class SourceTree {
  readonly root: string
  /** Paths of regular files below the root, with `/`, in code unit order. */
  readonly files: readonly string[]
  readonly #known: ReadonlySet<string>
  #byName: ReadonlyMap<string, readonly string[]> | undefined
  readonly #report: Ledger
  /** Extensions by path; empty for no image. */
  readonly #types = new Map<string, string>()

  /** @param root absolute path of a folder */
  constructor(root: string, report: Ledger) {
    this.root = realpathSync(root)
    this.#report = report
    const entries = fastGlob.sync('**/*', {
      cwd: this.root,
      dot: true,
      followSymbolicLinks: false,
      ignore: ['**/{.git,node_modules,.bundle,_site,.cache}/**'],
      objectMode: true,
      onlyFiles: false,
    })
    for (const { path, dirent } of entries) {
      if (dirent.isSymbolicLink()) report.add('left', 'symbolic link: not followed', path)
    }
    const paths = entries.filter(({ dirent }) => dirent.isFile()).map(({ path }) => path)
    this.files = paths.sort()
    for (const path of this.files) report.find(path)
    this.#known = new Set(this.files)
  }

  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** The only file whose path ends with segments, in any folder. */
  endingWith(end: string): string | undefined {
    this.#byName ??= byName(this.files)
    const found = this.#byName.get(posix.basename(end)) ?? []
    const [only, ...others] = found.filter((path) => `/${path}`.endsWith(`/${end}`))
    return others.length === 0 ? only : undefined
  }

  /** Files in a folder; `''` for all. */
  below(folder: string): string[] {
    const start = folder === '' ? '' : `${trimmedEnd(folder, '/')}/`
    return this.files.filter((path) => path.startsWith(start))
  }

  /**
   * Reads a text of at most 1 MiB, with LF line ends; returns undefined and reports a failure when it is unreadable.
   */
  text(path: string): string | undefined {
    // The images of a notebook are in its text.
    const limits = path.endsWith('.ipynb') ? { bytesMax: imageBytesMax } : {}
    const bytes = readFileBytes(this.root, path, limits)
    if (!Buffer.isBuffer(bytes)) {
      this.#report.settle(path, 'skipped', bytes.message)
      this.#report.add('failed', bytes.message, path)
      return undefined
    }
    const { value, diagnostics } = decodeText(path, bytes)
    for (const { line, column, message } of diagnostics)
      this.#report.add('failed', message, `${path}:${line}:${column}`)
    return value?.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  }

  data(path: string): string | undefined {
    this.#report.settle(path, 'data')
    return this.text(path)
  }

  /** The extension for the bytes of an image, which its name may not have; undefined for a file that a build refuses. */
  imageType(path: string): string | undefined {
    const known = this.#types.get(path)
    if (known !== undefined) return known || undefined
    const bytes = readFileBytes(this.root, path, { bytesMax: imageBytesMax })
    const type = Buffer.isBuffer(bytes) ? imageTypeOf(bytes) : undefined
    const reason = Buffer.isBuffer(bytes) ? 'its bytes are none' : bytes.message
    if (type === undefined) this.#report.settle(path, 'skipped', `image: ${reason}`)
    this.#types.set(path, type ?? '')
    return type
  }

  /** Reads an image that has a type; null when it has become unreadable. */
  image(path: string): Buffer | null {
    const bytes = readFileBytes(this.root, path, { bytesMax: imageBytesMax })
    if (!Buffer.isBuffer(bytes)) return null
    this.#report.settle(path, 'images')
    return bytes
  }
}

function byName(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const path of paths) {
    const name = posix.basename(path)
    const known = found.get(name)
    if (known === undefined) found.set(name, [path])
    else known.push(path)
  }
  return found
}

/** Reads a YAML, JSON or TOML file, or the literals that a program exports; empty when it is unreadable. */
export function readValues(tree: SourceTree, path: string): FieldValue {
  const text = tree.has(path) ? tree.data(path) : undefined
  if (text === undefined) return {}
  if (/js$/.test(path)) return parseJson(JSON.stringify(dataOfProgram(text)?.values ?? {}))
  if (/\.(?:json|ipynb)$/.test(path)) {
    try {
      return parseJson(text)
    } catch {
      return {}
    }
  }
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

/** The configuration of Hugo or Zola, from one file and a folder; `config/_default/NAME.toml` is nested under its name. */
export function readHugoConfig(tree: SourceTree): Values {
  const single = tree.files.find((path) => /^(?:hugo|config|zola)\.(?:toml|ya?ml|json)$/.test(path))
  const main = single === undefined ? {} : readMap(tree, single)
  const folders = ['config/_default', 'config/production'].flatMap((path) => tree.below(path))
  const parts = folders.map((path) => {
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
  start = '',
): string | undefined {
  for (const path of tree.files.filter((file) => files.test(file))) {
    const text = tree.data(path) ?? ''
    for (const key of keys) {
      const value = assigned(text, key, start)
      if (value !== undefined) return value
    }
  }
  return undefined
}

/** The first text that a program assigns to a key. @param start a source of a regular expression for its start */
export function assigned(text: string, key: string, start = ''): string | undefined {
  // regex: a constant key, and classes that exclude what ends them; read once for a configuration
  return new RegExp(
    `(?:^|[\\s{,])["']?${key}["']?\\s*[:=]\\s*u?["'\`](?=[^"'\`])(${start}[^"'\`\\n$]*)["'\`]`,
    'm',
  ).exec(text)?.[1]
}

/** The texts of configuration files in which comments are left out, or their braces after a match of `within`. */
export function configPrograms(tree: SourceTree, files: RegExp, within?: RegExp): string[] {
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
 * Returns why a configuration excludes a file, by globs.
 *
 * @param globs undefined for a value that is a program, which may exclude any file
 * @param base the folder of the globs; by default, they may name a file in any folder
 */
export function excludedBy(
  name: string,
  globs: readonly (string | undefined)[],
  base?: string,
): (path: string) => string | undefined {
  if (globs.includes(undefined))
    return () => `\`${name}\` of the configuration is a program that may exclude it`
  const plain = globs.flatMap((glob = '') =>
    /^(?:!|$)/.test(glob) ? [] : [glob.replace(/^\.?\/|\/$/g, '')],
  )
  const all = base === undefined ? plain.flatMap((glob) => [glob, `**/${glob}`]) : plain
  const below = (path: string) => path.slice((base ?? '').length)
  return (path) =>
    path.startsWith(base ?? '') && all.some((glob) => matchesTree(below(path), glob))
      ? `\`${name}\` of the configuration names it`
      : undefined
}

/** The texts after a key in programs, such as `IGNORE_FILES = ['*.tmp']`; undefined for a part that is a program. */
export function textsAfter(programs: readonly string[], key: string): (string | undefined)[] {
  const text = '"[^"\\n]*"|\'[^\'\\n]*\'|`[^`$\\n]*`'
  // regex: a constant key, and a text or a list, whose parts begin differently
  const value = new RegExp(
    `\\b${key}(?:["']?\\s?[:=]|\\.add\\()\\s{0,9}([[(](?:${text}|[^\\])"'\`])*[\\])]|${text})?`,
    'g',
  )
  // regex: the constant above
  const quoted = new RegExp(text, 'g')
  const values = programs.flatMap((program) =>
    Array.from(program.matchAll(value), ([, list]) => list ?? 'program'),
  )
  return values.flatMap((list) => [
    ...(list.match(quoted) ?? []).map((found) => found.slice(1, -1)),
    ...(/[^\s,()[\]]/.test(list.replace(quoted, '')) ? [undefined] : []),
  ])
}

/** An origin without path and trailing slash: `https://example.com`. */
export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:/.test(url)
    ? new URL(url).origin
    : undefined
}

/** The folders with these names at the given location and at the root, and the root itself. */
export function rootsOf(tree: SourceTree, names: readonly string[], parent = ''): string[] {
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
