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
import { remembered, trimmedEnd } from '../parts.ts'
import type { FieldValue } from '../site.ts'
import { dataOfProgram, isMap, parseJson, plainValue, type Values } from './front.ts'

/** A folder with the sources of a site. */
export class SourceTree {
  readonly root: string
  /** Paths of regular files below the root, with `/`, in code unit order. */
  readonly files: readonly string[]
  readonly #known: ReadonlySet<string>
  #programs: string | undefined
  readonly report: Ledger
  /** Files that were read but are not UTF-8. */
  readonly damaged: Set<string> = new Set()

  /** @param root absolute path of a folder */
  constructor(root: string, report: Ledger) {
    this.root = realpathSync(root)
    this.report = report
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

  /** Finds the only file whose path ends with segments, in any folder; dates of its folders may be left out. Cost: O(files). */
  endingWith(end: string): string | undefined {
    const endsSo = (path: string) => `/${path}`.endsWith(`/${end}`)
    const [only, ...others] = this.files.filter(
      (path) => endsSo(path) || endsSo(path.replace(/(^|\/)\d{4}-\d{2}-\d{2}[-_]/g, '$1')),
    )
    return others.length === 0 ? only : undefined
  }

  /** Returns the files in a folder; `''` for all files. */
  below(folder: string): string[] {
    const start = folder === '' ? '' : `${trimmedEnd(folder, '/')}/`
    return this.files.filter((path) => path.startsWith(start))
  }

  /**
   * Reads a text of at most 1 MiB, with LF line ends. Reports a file that is not UTF-8 or cannot be read; returns undefined
   * for a file that is not text or cannot be read.
   */
  text(path: string): string | undefined {
    const bytes = readFileBytes(this.root, path)
    if (!Buffer.isBuffer(bytes)) {
      this.report.settle(path, 'skipped', bytes.message)
      this.report.add('failed', bytes.message, path)
      return undefined
    }
    const { value, diagnostics } = decodeText(path, bytes)
    for (const { line, column, message } of diagnostics)
      this.report.add('failed', message, `${path}:${line}:${column}`)
    if (value === undefined) this.damaged.add(path)
    // Old texts in other encodings are Western European, as browsers assume.
    const text = value ?? (bytes.includes(0) ? undefined : new TextDecoder('latin1').decode(bytes))
    return text?.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  }

  data(path: string): string | undefined {
    this.report.settle(path, 'data')
    return this.text(path)
  }

  /** The texts of all programs and templates outside of themes, tests and examples. */
  get programs(): string {
    const program = /\.(?:astro|vue|svelte|njk|[cm]?[jt]sx?)$/
    const foreign = /(?:^|\/)(?:themes|tests?|__tests__|examples?|static|public|dist|vendor)\//
    this.#programs ??= this.files
      .filter((path) => program.test(path) && !foreign.test(path))
      .map((path) => readFileBytes(this.root, path))
      .map((bytes) => (Buffer.isBuffer(bytes) ? bytes.toString() : ''))
      .join('\n')
    return this.#programs
  }

  /** Returns the extension for the bytes of an image, which may differ from its name; undefined for an unsupported file. */
  readonly imageType: (path: string) => string | undefined = remembered((path) => {
    const bytes = readFileBytes(this.root, path, imageBytesMax)
    const type = Buffer.isBuffer(bytes) ? imageTypeOf(bytes) : undefined
    const reason = Buffer.isBuffer(bytes) ? 'it is not an image' : bytes.message
    if (type === undefined) this.report.settle(path, 'skipped', `image: ${reason}`)
    return type
  })

  /** Reads an image with a known type; null when it can no longer be read. */
  image(path: string): Buffer | null {
    const bytes = readFileBytes(this.root, path, imageBytesMax)
    if (!Buffer.isBuffer(bytes)) return null
    this.report.settle(path, 'images')
    return bytes
  }
}

/** Reads a YAML, JSON or TOML file, or the literals that a program exports; empty when it is unreadable. @param isTyped true for numbers and booleans, not texts */
export function readValues(tree: SourceTree, path: string, isTyped = false): FieldValue {
  const text = tree.has(path) ? tree.data(path) : undefined
  if (text === undefined) return {}
  const unreadable = (reason = 'syntax error') => {
    tree.report.add('failed', `data that cannot be read: ${reason.split('\n')[0]}`, path)
    return {}
  }
  if (/(?:js|\.json)$/.test(path)) {
    try {
      const json = path.endsWith('js') ? JSON.stringify(dataOfProgram(text)?.values ?? {}) : text
      return isTyped ? JSON.parse(json) : parseJson(json)
    } catch (error) {
      return unreadable((error as Error).message)
    }
  }
  // `!ENV` of MkDocs becomes a map, which nothing reads; other tags, which name programs too, are removed.
  const computed = text.replace(/(?<=^[\w-]+: )(!ENV) ([^#\n]*)/gm, '{"$1": $2}')
  const plain = computed.replace(/^([ \t]*(?:- )?(?:[\w-]+:[ \t])?)!{1,2}[\w/.:-]+/gm, '$1')
  // A TOML file is a document without a body.
  const { value, diagnostics } = path.endsWith('.toml')
    ? readDocument(path, `+++\n${text}\n+++\n`)
    : parseYaml(plain, { file: path })
  if (value === undefined) return unreadable(diagnostics[0]?.message)
  return plainValue('frontMatter' in value ? value.frontMatter : value, isTyped)
}

/** Reads a map; empty when the file has none. */
export function readMap(tree: SourceTree, path: string): Values {
  const value = readValues(tree, path)
  return isMap(value) ? value : {}
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

/** Returns why globs that include files leave out a file; those with `!` exclude files. See `excludedBy`. */
export function leftBy(
  name: string,
  globs: readonly (string | undefined)[],
  base?: string,
): (path: string) => string | undefined {
  const named = excludedBy(name, globs, base)
  const negated = globs.flatMap((glob) => /^!\s?(.*)/.exec(glob ?? '')?.[1] ?? [])
  const excluded = excludedBy(name, negated, base)
  if (globs.includes(undefined)) return named
  if (globs.every((glob) => /^(?:!|$)/.test(glob ?? ''))) return excluded
  return (path) =>
    named(path) === undefined ? `\`${name}\` of the configuration does not name it` : excluded(path)
}

/** Hosts in the configuration of a new site. */
const placeholder = /^https?:\/\/(?:localhost|127\.|(?:www\.|your-[\w-]+\.)?(?:example|yoursite)\.)/

/** Returns the origin of a URL, such as `https://blog.example.com`; undefined for a placeholder or an invalid URL. */
export function originOf(url = ''): string | undefined {
  const isOwn = /^https?:/.test(url) && URL.canParse(url) && !placeholder.test(url)
  return isOwn ? new URL(url).origin : undefined
}

/** Returns the folders with these names at the given location and at the root, and the root itself. */
export function rootsOf(tree: SourceTree, names: readonly string[], parent = ''): string[] {
  const candidates = [parent, ''].flatMap((folder) => names.map((name) => posix.join(folder, name)))
  const found = [...new Set(candidates)].filter((folder) => tree.below(folder).length > 0)
  return [...found, ...new Set([parent, ''])]
}

/** True when a path matches a glob. @param isPath false if `*` also matches `/` */
export function matchesGlob(path: string, glob: string, isPath = true): boolean {
  return glob !== '' && picomatch.isMatch(path, glob, { dot: true, bash: !isPath })
}

/** True when a glob names a path or a folder above it. */
export function matchesTree(path: string, glob: string): boolean {
  return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)
}
