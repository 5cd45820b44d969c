// The settings of a site: data files and programs, read through views that note which settings are read. The report
// names the others.
import { posix } from 'node:path'
import type { Ledger } from '../ledger.ts'
import type { FieldValue } from '../site.ts'
import { endOfBraces } from './code-mask.ts'
import { asList, isMap, merged, type Values } from './front.ts'
import { readMap, type SourceTree } from './source-tree.ts'

/** A view of settings, which nothing changes; the report names those that nothing has read. */
export function watched(settings: Values, file: string, report: Ledger): Values {
  const read = new Set<string>()
  report.watch(file, () => unreadOf(settings, '', read))
  return viewOf(settings, '', read) as Values
}

/** Paths such as `dir.input`; the maps of a list have the path of the list. */
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

/** The settings in the first of these files, that with the shortest path. */
export function settingsIn(tree: SourceTree, files: RegExp): Values {
  const [path] = matching(tree, files)
  return path === undefined ? {} : watched(readMap(tree, path), path, tree.report)
}

function matching(tree: SourceTree, files: RegExp): readonly string[] {
  const depth = (path: string) => path.split('/').length
  return tree.files.filter((path) => files.test(path)).sort((a, b) => depth(a) - depth(b))
}

/** The configuration of Hugo or Zola, from one file and a folder; `config/_default/NAME.toml` is nested under its name. */
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

/** The text has no comments. */
type Program = Readonly<Record<'file' | 'text', string>>

/** The settings of programs, as far as their text states them. */
export class Programs {
  /** The folder of the first program; `''` for the root and when there is none. */
  readonly parent: string
  readonly #file: string
  readonly #whole: string
  readonly #read = new Set<string>()

  /** @param path precedes the names in the report; undefined for programs that the report leaves out */
  constructor(programs: readonly Program[], report: Ledger, path?: string) {
    this.#file = programs[0]?.file ?? ''
    this.#whole = programs.map(({ text }) => text).join('\n')
    this.parent = posix.dirname(this.#file).replace(/^\.$/, '')
    if (path !== undefined)
      for (const { file, text } of programs)
        report.watch(file, () => {
          const all = namedIn(file, text)
          return all.length === 0 ? ['all of the program'] : this.#unread(all, path)
        })
  }

  /** The programs with such names. */
  static in(tree: SourceTree, files: RegExp, path?: string): Programs {
    const programs = matching(tree, files).map((file) => {
      const text = tree.data(file) ?? ''
      return { file, text: file.endsWith('.py') ? text.replace(/^[ \t]*#.*$/gm, '') : plain(text) }
    })
    return new Programs(programs, tree.report, path)
  }

  /** The first text that a program assigns to one of the keys. @param start a source of a regular expression for its start */
  text(keys: string | readonly string[], start = ''): string | undefined {
    const found = [keys].flat().map((key) => {
      // regex: a constant key, and classes that exclude what ends them; read once for a configuration
      const value = new RegExp(
        `(?:^|[\\s{,])["']?${key}["']?\\s*[:=]\\s*u?["'\`](?=[^"'\`])(${start}[^"'\`\\n$]*)["'\`]`,
        'm',
      )
      return this.match(key, value)?.[1]
    })
    return found.find((text) => text !== undefined)
  }

  /** The first match of an expression about a setting. */
  match(key: string, expression: RegExp): RegExpExecArray | null {
    this.#read.add(key)
    return expression.exec(this.#whole)
  }

  /** Every match of an expression about a setting. */
  matches(key: string, expression: RegExp): readonly string[] {
    this.#read.add(key)
    return this.#whole.match(expression) ?? []
  }

  /** The texts after a key, such as `IGNORE_FILES = ['*.tmp']`; undefined for a part that is a program. */
  texts(key: string): readonly (string | undefined)[] {
    this.#read.add(key)
    const text = '"[^"\\n]*"|\'[^\'\\n]*\'|`[^`$\\n]*`'
    // regex: a constant key, and a text or a list, whose parts begin differently
    const value = new RegExp(
      `\\b${key}(?:["']?\\s?[:=]|\\.add\\()\\s{0,9}([[(](?:${text}|[^\\])"'\`])*[\\])]|${text})?`,
      'g',
    )
    // regex: the constant above
    const quoted = new RegExp(text, 'g')
    const values = Array.from(this.#whole.matchAll(value), ([, list]) => list ?? 'program')
    return values.flatMap((list) => [
      ...(list.match(quoted) ?? []).map((found) => found.slice(1, -1)),
      ...(/[^\s,()[\]]/.test(list.replace(quoted, '')) ? [undefined] : []),
    ])
  }

  /** The objects after each match of an expression, which ends before a brace. @param key precedes names in the report */
  within(key: string, expression: RegExp, report: Ledger): readonly Programs[] {
    this.#read.add(key)
    return Array.from(this.#whole.matchAll(expression), ({ index, 0: { length } }) => {
      const braces = this.#whole.slice(index + length, endOfBraces(this.#whole, index + length))
      const program = { file: this.#file, text: `export default ${braces}` }
      return new Programs([program], report, `${key}.`)
    })
  }

  /** A setting is read if its name is, or that of one below it. */
  #unread(named: readonly Setting[], path: string): readonly string[] {
    return named.flatMap(([name, value]): readonly string[] => {
      if (this.#read.has(name)) return []
      const isObject = value.trimStart().startsWith('{')
      const inner = isObject ? propertiesOf(value, value.indexOf('{')).properties : []
      const unread = this.#unread(inner, `${path}${name}.`)
      // regex: constant names
      const isBelow = (key: string) => new RegExp(`\\b${key}["']?\\s?[:=]`).test(value)
      if (unread.length < inner.length) return unread
      return inner.length === 0 && [...this.#read].some(isBelow) ? [] : [path + name]
    })
  }
}

type Setting = readonly [name: string, value: string]

/** A program without comments, except in texts. */
function plain(program: string): string {
  const comment =
    // regex: the configuration of a site, read once
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\/.*|\/\*[\s\S]*?\*\//g
  return program.replace(comment, (_, quoted = '') => quoted)
}

const start =
  // regex: bounded runs before a brace
  /(?:\bexport\s{1,9}default|\bmodule\.exports\s?=|\bconfig(?:\s?:[^={]{0,99})?\s?=|^[ \t]{0,2}return)\s{0,9}(?:\([^()]{0,99}\)\s?=>\s?\()?(?:[\w.]{1,40}\(\s{0,9}){0,3}(?=\{)/gim
const named = /^([A-Z][A-Z0-9_]*)[ \t]?=(?!=)|\.((?:set|add)[A-Z]\w*|ignores)\b(?=\(|\.add\()/gm

/** The settings of a program: properties of its objects, variables of Python, and methods of Eleventy. */
function namedIn(file: string, text: string): readonly Setting[] {
  let done = 0
  const found = Array.from(text.matchAll(start)).flatMap(({ index, 0: { length } }) => {
    if (index < done || file.endsWith('.py')) return []
    const { properties, end } = propertiesOf(text, index + length)
    done = end
    return properties
  })
  return [...found, ...Array.from(text.matchAll(named), ([, a, b]): Setting => [a ?? b ?? '', ''])]
}

/** The properties of the object whose brace is at an offset, and its end. Cost: O(length). */
function propertiesOf(text: string, at: number) {
  const properties: Setting[] = []
  // regex: texts in quotes, each with its own end
  const token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}()[\],]/g
  let [first, depth] = [at + 1, 0]
  token.lastIndex = first
  for (let match = token.exec(text); match !== null && depth >= 0; match = token.exec(text)) {
    const [sign] = match
    if ('{[('.includes(sign)) depth++
    else if ('}])'.includes(sign)) depth--
    if (depth > 0 || (depth === 0 && sign !== ',')) continue
    const part = text.slice(first, match.index)
    const [all = '', name = ''] = /^\s*["']?([\w$.-]+)["']?\s*:?/.exec(part) ?? []
    if (name !== '') properties.push([name, part.slice(all.length)])
    first = match.index + 1
  }
  return { properties, end: first }
}
