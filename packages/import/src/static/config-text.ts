// Reads values from configuration files that are programs, as text, without running them.
import { matchesAny } from './globs.ts'
import { endOfBraces } from './jsx-tags.ts'
import type { SourceTree } from './source-tree.ts'

/** The first text that a configuration file assigns to one of the keys, such as `url: 'https://…'`. */
export function configText(
  tree: SourceTree,
  files: RegExp,
  keys: readonly string[],
): string | undefined {
  for (const path of tree.files.filter((file) => files.test(file))) {
    const text = tree.text(path) ?? ''
    for (const key of keys) {
      // regex: a constant key, and classes that exclude what ends them; read once for a configuration
      const [, value] =
        new RegExp(`(?:^|[\\s{,])["']?${key}["']?\\s*[:=]\\s*["'\`]([^"'\`\\n$]+)["'\`]`, 'm').exec(
          text,
        ) ?? []
      if (value !== undefined) return value
    }
  }
  return undefined
}

const quoted = /"([^"\n]*)"|'([^'\n]*)'|`([^`$\n]*)`/g
const literal = /\[(?:[\s,]|"[^"\n]*"|'[^'\n]*'|`[^`$\n]*`)*\]|"[^"\n]*"|'[^'\n]*'|`[^`$\n]*`/y

/**
 * Finds the files that a configuration file excludes by lists or texts after `key`.
 *
 * @param key global; ends before the value
 * @param within ends before the braces that contain the key
 * @returns the reason why a file, by its path below `base`, is excluded; values that are programs may exclude any file
 */
export function excludedBy(
  tree: SourceTree,
  files: RegExp,
  { name, key, base, within }: { name: string; key: RegExp; base: string; within?: RegExp },
): (path: string) => string | undefined {
  const texts = tree.files
    .filter((file) => files.test(file))
    .map((path) => (tree.text(path) ?? '').replace(/^[ \t]*\/\/.*$/gm, ''))
    .flatMap((text) => {
      if (within === undefined) return [text]
      const starts = [...text.matchAll(within)].map(({ index, 0: { length } }) => index + length)
      return starts.map((start) => text.slice(start, endOfBraces(text, start)))
    })
  const values = texts.flatMap((text) =>
    [...text.matchAll(key)].map(({ index, 0: { length } }) => {
      literal.lastIndex = index + length
      return literal.exec(text)?.[0]
    }),
  )
  if (values.includes(undefined))
    return () => `${name} of the configuration is a program that may exclude it`
  const globs = values.flatMap((value = '') =>
    [...value.matchAll(quoted)].map(([, ...all]) => all.find((text) => text !== undefined) ?? ''),
  )
  return (path) =>
    path.startsWith(base) && matchesAny(path.slice(base.length), globs)
      ? `${name} of the configuration names it`
      : undefined
}

/** An origin without path and trailing slash: `https://example.com`. */
export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:/.test(url)
    ? new URL(url).origin
    : undefined
}
