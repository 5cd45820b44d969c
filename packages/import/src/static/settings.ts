// The settings of a site: data files and programs. The report names the settings that the import does not read.
import { posix } from 'node:path'
import type { Ledger } from '../ledger.ts'
import { partsOf } from '../parts.ts'
import type { FieldValue } from '../site.ts'
import { endOfBraces } from './code-mask.ts'
import { asList, isMap, merged, textAt, type Values } from './front.ts'
import { judge } from './post-head.ts'
import { readMap, type SourceTree } from './source-tree.ts'

/** Returns a read-only view of settings; the report names the settings that were not read. */
export function watched(settings: Values, file: string, report: Ledger): Values {
  const read = new Set<string>()
  report.watch(file, () => unreadOf(settings, '', read))
  return viewOf(settings, '', read) as Values
}

/** Records paths such as `dir.input`; the maps of a list have the path of the list. */
function viewOf(value: FieldValue, path: string, read: Set<string>): FieldValue {
  if (Array.isArray(value)) return value.map((item) => viewOf(item, path, read))
  if (!isMap(value)) return value
  return new Proxy(value, {
    get: (map, key) => {
      if (typeof key !== 'string' || !Object.hasOwn(map, key)) return Reflect.get(map, key)
      read.add(path + key)
      return viewOf(map[key], `${path}${key}.`, read)
    },
  })
}

function unreadOf(value: FieldValue, path: string, read: ReadonlySet<string>): readonly string[] {
  return asList(value)
    .filter(isMap)
    .flatMap((map) =>
      Object.entries(map).flatMap(([key, inner]) =>
        read.has(path + key) ? unreadOf(inner, `${path}${key}.`, read) : [path + key],
      ),
    )
}

/** Returns the settings in the matching file below the fewest folders. @param parentKey the key that names a file of defaults */
export function settingsIn(tree: SourceTree, files: RegExp, parentKey = ''): Values {
  const [path] = matching(tree, files)
  if (path === undefined) return {}
  const own = readMap(tree, path)
  const parent = textAt(own, parentKey)
  const above = parent && readMap(tree, posix.join(posix.dirname(path), parent))
  return watched(above ? merged(above, own, false) : own, path, tree.report)
}

function matching(tree: SourceTree, files: RegExp): readonly string[] {
  const depth = (path: string) => path.split('/').length
  return tree.files.filter((path) => files.test(path)).sort((a, b) => depth(a) - depth(b))
}

/** Returns the settings of Hugo or Zola, from a file and a folder; `config/_default/NAME.toml` is nested under its name. */
export function hugoSettings(tree: SourceTree): Values {
  const single = matching(tree, /^(?:hugo|config|zola)\.(?:toml|ya?ml|json)$/).slice(0, 1)
  const folders = ['config/_default', 'config/production'].flatMap((path) => tree.below(path))
  const all = [...single, ...folders].map((path): Values => {
    const values = readMap(tree, path)
    const names = posix.basename(path).split('.').slice(0, -1)
    const isMain = /^(?:hugo|config|zola)$/.test(names.join('.'))
    return isMain ? values : names.reduceRight((inner, name) => ({ [name]: inner }), values)
  })
  const settings = all.reduce((under, over) => merged(under, over, false), {})
  return watched(settings, single[0] ?? 'config', tree.report)
}

/**
 * Creates a test of the keys by which programs filter posts. `!data.key` and `key: { ne: true }` may withhold a post with
 * `key: true`; in a query of all posts, other conditions may withhold one with `key: false`.
 */
export function filteredBy(programs: string): (values: Values) => string | undefined {
  const [isTrue, isFalse] = [/^(?:true|yes|on|1)$/i, /^(?:false|no|off|0)$/i]
  const rules = new Map<string, RegExp>()
  const queries = /\b(?:(?:\.filter|getCollection|addCollection)\(|filter:\s{0,9}\{)/g
  const closeOf = ([open]: RegExpExecArray) => (open.endsWith('{') ? '(\\{)|\\}' : '(\\()|\\)')
  const key =
    /(!)\s{0,9}(?:\w+\??\.){0,9}(\w+)(?![\w.(?[])|\b(\w+)\s{0,9}(?:!==?\s{0,9}true|===?\s{0,9}false|:\s{0,9}\{\s{0,9}(?:ne:\s{0,9}true|eq:\s{0,9}false))|\b(?:data|frontmatter)\??\.(\w+)(?!\w|\s{0,9}(?:!==?\s{0,9}true|===?\s{0,9}false))|(\w+):\s{0,9}\{\s{0,9}eq:\s{0,9}true/g
  for (const { open, inner } of partsOf(programs, queries, closeOf))
    for (const [, , not = '', other = not, ...stated] of inner.matchAll(key)) {
      const [has = ''] = stated.filter((name) => name !== undefined)
      if (other !== '') rules.set(other, isTrue)
      else if (!open[0].startsWith('.') && !rules.has(has)) rules.set(has, isFalse)
    }
  return (values) => {
    const found = [...rules].find(
      ([name, value]) =>
        value.test(textAt(values, name) ?? '') && judge(name, values[name]) === undefined,
    )
    return found && `a program filters posts by \`${found[0]}\`, which may withhold it`
  }
}

/** The settings of programs, as far as their text states them. */
export class Programs {
  /** The folder of the first program; `''` for the root and when there is none. */
  readonly parent: string
  readonly #file: string
  readonly #whole: string
  readonly #read: Set<string>

  /** @param texts without comments */
  constructor(file = '', texts: readonly string[] = [], read: Set<string> = new Set()) {
    this.#file = file
    this.#whole = texts.join('\n')
    this.#read = read
    this.parent = posix.dirname(file).replace(/^\.$/, '')
  }

  /** Returns the programs with matching names. @param isNamed true for those of one folder, whose other settings the report names */
  static in(tree: SourceTree, files: RegExp, isNamed = false): Programs {
    const all = matching(tree, files)
    // Themes and examples have configurations too.
    const isOwn = (path: string) => posix.dirname(path) === posix.dirname(all[0] ?? '')
    const paths = isNamed ? all.filter(isOwn) : all
    const texts = paths.map((path) => plain(path, tree.data(path) ?? ''))
    const programs = new Programs(paths[0], texts)
    if (isNamed)
      for (const [at, path] of paths.entries())
        tree.report.watch(path, () => {
          const names = namesIn(texts[at] ?? '')
          if (names.length === 0) return ['the whole program']
          return names.filter((name) => !programs.#read.has(name))
        })
    return programs
  }

  /** Returns the first text that a program assigns to one of the keys, in Python the last. @param start regular expression for its start */
  text(keys: string | readonly string[], start = '.'): string | undefined {
    const found = [keys].flat().map((key) => {
      const value = new RegExp(
        `(?:^|[\\s{,])["']?${key}["']?\\s*[:=]\\s*u?["'\`]([^"'\`\\n$]*)["'\`]`,
        'gm',
      )
      const all = Array.from(this.#whole.matchAll(value), ([, text = '']) => text)
      if (all.length > 0) this.#read.add(key)
      return all.filter((text) => text.search(start) === 0).at(this.#file.endsWith('.py') ? -1 : 0)
    })
    return found.find((text) => text !== undefined)
  }

  /** Returns the first match of an expression about a setting; every match of a global expression. */
  match(key: string, expression: RegExp): RegExpMatchArray | null {
    this.#read.add(key)
    return this.#whole.match(expression)
  }

  /** Returns the texts after a key, such as `IGNORE_FILES = ['*.tmp']`; undefined for a part that is a program. */
  texts(key: string): readonly (string | undefined)[] {
    this.#read.add(key)
    const text = '"[^"\\n]*"|\'[^\'\\n]*\'|`[^`$\\n]*`'
    const value = new RegExp(
      `\\b${key}(?:["']?\\s?[:+]?[:=]|\\.add\\(|(?<=\\b(?:add|set)\\w+)(?=\\()|(?<=[{,]\\s{0,99}${key})(?=\\s{0,9}[,}]))\\s{0,9}([[(](?:${text}|[^\\])"'\`])*[\\])](?:\\s{0,9}\\+)?|${text})?`,
      'g',
    )
    const quoted = new RegExp(text, 'g')
    const values = Array.from(this.#whole.matchAll(value), ([, list]) => list ?? 'program')
    return values.flatMap((list) => [
      ...(list.match(quoted) ?? []).map((found) => found.slice(1, -1)),
      ...(/[^\s,()[\]]/.test(list.replace(quoted, '')) ? [undefined] : []),
    ])
  }

  /** Returns the object after each match of an expression that ends before a brace. */
  within(expression: RegExp): readonly Programs[] {
    return Array.from(this.#whole.matchAll(expression), ({ index, 0: { length } }) => {
      const braces = this.#whole.slice(index + length, endOfBraces(this.#whole, index + length))
      return new Programs(this.#file, [braces], this.#read)
    })
  }
}

/** Removes the comments of a program, but not from its texts. */
function plain(path: string, program: string): string {
  if (path.endsWith('.py')) return program.replace(/^[ \t]*#.*$/gm, '')
  const comment =
    // regex: the configuration of a site, read once
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\/.*|\/\*[\s\S]*?\*\//g
  return program.replace(comment, (_, quoted = '') => quoted)
}

/** Returns the names of properties and variables without nested properties, and of Eleventy's methods. */
function namesIn(program: string): readonly string[] {
  const name =
    /(?:(?<=^|[{,])[ \t]*(["']?)([\w$-]+|(?<=["'])\/[^"'\n]*)\1\s?(?::(?!:)|=(?![=>]))(?!\s*(?:\{|\[\s*[[{]|\[$))|\.((?:set|add)[A-Z]\w*|ignores)\b)/gm
  return Array.from(program.matchAll(name), ([, , key, method = '']) => key ?? method)
}
