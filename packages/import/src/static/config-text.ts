// Reads values from configuration files that are programs, as text, without running them.
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
      const [, value] =
        new RegExp(`(?:^|[\\s{,])["']?${key}["']?\\s*[:=]\\s*["'\`]([^"'\`\\n$]+)["'\`]`, 'm').exec(
          text,
        ) ?? []
      if (value !== undefined) return value
    }
  }
  return undefined
}

/** An origin without path and trailing slash: `https://example.com`. */
export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:/.test(url)
    ? new URL(url).origin
    : undefined
}
