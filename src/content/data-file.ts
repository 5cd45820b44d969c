// Reads files other than Markdown: settings, keys, lists and images.
import type { ReadFile } from './assemble.ts'
import { readKeysText } from './keys-file.ts'
import type { PlannedFile } from './layout.ts'
import { readScannedText, unread } from './read-file.ts'
import type { MountPath } from './relative-path.ts'
import type { Problem } from './source.ts'
import { readYaml } from './yaml-file.ts'

/** A file to read. */
export interface ScannedFile extends PlannedFile {
  /** SHA-256 of its bytes, hexadecimal, or its read error. */
  readonly content: string | Problem
}

/** Parses a scanned file. Images are read when they are published. */
export function readDataFile(
  folder: { readonly root: string; readonly mounts: readonly MountPath[] },
  scanned: ScannedFile,
): ReadFile {
  const { path, content, role } = scanned
  // A problem with an image is reported in the posts that show it.
  if (role.kind === 'image') return { ...scanned, diagnostics: [] }
  if (typeof content !== 'string') return { ...scanned, ...unread(path, content) }
  const text = readScannedText(folder, { path, content })
  if (text.value === undefined) return { ...scanned, diagnostics: text.diagnostics }
  const { value, diagnostics } = (role.kind === 'keys' ? readKeysText : readYaml)(path, text.value)
  return { ...scanned, ...(value === undefined ? {} : { yaml: value }), diagnostics }
}
