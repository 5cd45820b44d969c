// Packs as somebody writes them who can change the cache: whatever they say, their digests are right.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeFooter, encodeFooter, footerBytes } from '../../src/cache/pack-format.ts'
import { PackReader } from '../../src/cache/pack-reader.ts'
import { PackWriter } from '../../src/cache/pack-writer.ts'

/** Paths of the packs in a folder, in the order of their names. */
export function packsIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.pack'))
  return names.sort().map((name) => join(folder, name))
}

/** Writes a pack again with other bytes in its parts. */
export function rewriteParts(
  path: string,
  edit: (bytes: Buffer, part: string) => Uint8Array,
): void {
  const opened = PackReader.open(path)
  if (opened.kind !== 'pack') throw new Error(`${path} is ${opened.kind}`)
  const writer = new PackWriter(`${path}.tmp`)
  for (const key of opened.pack.keys()) {
    const places = opened.pack.partsOf(opened.pack.find(key) ?? 0)
    const parts = [...places].map(([part, place]) => [
      part,
      edit(Buffer.from(opened.pack.read(place)), part),
    ])
    writer.add(key, Object.fromEntries(parts))
  }
  opened.pack.close()
  writer.finish(path)
  writer.close()
}

/** The bytes of a pack with another index, and a footer that fits it. */
export function withIndex(pack: Buffer, edit: (index: Buffer) => Buffer): Buffer {
  const { offset, index } = indexOf(pack)
  const edited = edit(Buffer.from(index))
  return Buffer.concat([pack.subarray(0, offset), edited, encodeFooter(offset, edited)])
}

/** The index of a pack, and where it begins. */
export function indexOf(pack: Buffer): { readonly offset: number; readonly index: Buffer } {
  const footer = decodeFooter(pack.subarray(-footerBytes), pack.length)
  if (typeof footer === 'string') throw new Error(`the pack is ${footer}`)
  const { offset, length } = footer
  return { offset, index: pack.subarray(offset, offset + length) }
}

/** Replaces a file. */
export function replaceFile(path: string, edit: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, edit(readFileSync(path)))
}
