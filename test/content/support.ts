// What the tests of reading share: temporary content folders, and diagnostics and values in short.
// Holds no fixture: each test says what its folder has in it.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readBody } from '../../src/build/bodies.ts'
import { BuildCache } from '../../src/build/cache.ts'
import { rawContent, readContent as read } from '../../src/build/read.ts'
import { resolveFolder } from '../../src/content/layout.ts'
import type { RawContent, RawDocument, YamlValue } from '../../src/content/raw.ts'
import type { Diagnostic } from '../../src/diagnostics.ts'

/** A temporary folder with these files in it, by path; gone when the test is done. */
export async function makeFolder(
  files: { readonly [path: string]: string | Buffer } = {},
): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'quarry-content-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

/** `hello.md:4:7 yaml-tag` of each. */
export function places(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
}

/** A value as plain lists, text and entries, without places: `{ a: [b] }` is `[['a', ['b']]]`. */
export function plain(value: YamlValue | undefined): unknown {
  if (value === undefined) return undefined
  if (value.kind === 'text') return value.value
  if (value.kind === 'list') return value.items.map(plain)
  return [...value.entries].map(([key, entry]) => [key, plain(entry.value)])
}

/** A content folder read whole, its posts with their bodies. */
export async function readContent(root: string): Promise<RawContent> {
  const cache = new BuildCache(null, '')
  onTestFinished(() => cache.close())
  const place = { root: await resolveFolder(root), mounts: [], downloads: [] }
  const content = await rawContent(await read(place, cache), cache)
  const whole = (document: RawDocument) => {
    const { file, source, frontMatter, bodyHash, bodyLine } = document
    const body =
      document.body === '' ? (readBody(place, cache, document).value ?? '') : document.body
    return { file, source, frontMatter, body, bodyHash, bodyLine }
  }
  const workspaces = content.workspaces.map((workspace) => ({
    ...workspace,
    files: workspace.files.map((file) =>
      file.document === undefined ? file : { ...file, document: whole(file.document) },
    ),
  }))
  return { ...content, workspaces }
}
