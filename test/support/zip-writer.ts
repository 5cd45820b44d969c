// Writes zip archives with any header, also such as no honest tool would write.
import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive; what is not given is what is right. */
export interface ZipEntry {
  readonly name: string
  readonly data: string | Uint8Array
  readonly method?: number
  readonly flags?: number
  /** The mode that Unix writes: 0o120777 is a link. */
  readonly mode?: number
  /** The size that the headers announce. */
  readonly size?: number
  readonly crc?: number
  /** The offset that the directory announces. */
  readonly offset?: number
  /** The extra field of the directory. */
  readonly extra?: Uint8Array
}

/** The bytes of an archive. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data)
    const method = entry.method ?? 8
    const content = method === 8 ? deflateRawSync(data) : data
    const sizes = {
      crc: entry.crc ?? crc32(data),
      packed: content.length,
      size: entry.size ?? data.length,
    }
    const local = Buffer.concat([
      header(0x04034b50, entry, sizes),
      Buffer.from(entry.name),
      content,
    ])
    central.push(directoryEntry(entry, sizes, entry.offset ?? offset))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  return Buffer.concat([...locals, directory, end(entries.length, directory.length, offset)])
}

interface Sizes {
  readonly crc: number
  readonly packed: number
  readonly size: number
}

/** A local header without its name (APPNOTE §4.3.7). */
function header(
  signature: number,
  { name, method = 8, flags = 0x800 }: ZipEntry,
  sizes: Sizes,
): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.writeUInt32LE(signature, 0)
  bytes.writeUInt16LE(20, 4)
  writeCommon(bytes, 6, { flags, method, name, sizes })
  return bytes
}

/** An entry of the directory (APPNOTE §4.3.12). */
function directoryEntry(entry: ZipEntry, sizes: Sizes, offset: number): Buffer {
  const { name, method = 8, flags = 0x800, mode = 0o100644, extra = new Uint8Array() } = entry
  const bytes = Buffer.alloc(46)
  bytes.writeUInt32LE(0x02014b50, 0)
  bytes.writeUInt16LE(0x0314, 4)
  bytes.writeUInt16LE(20, 6)
  writeCommon(bytes, 8, { flags, method, name, sizes })
  bytes.writeUInt16LE(extra.length, 30)
  bytes.writeUInt32LE((mode << 16) >>> 0, 38)
  bytes.writeUInt32LE(offset, 42)
  return Buffer.concat([bytes, Buffer.from(name), extra])
}

function writeCommon(
  bytes: Buffer,
  at: number,
  { flags, method, name, sizes }: { flags: number; method: number; name: string; sizes: Sizes },
): void {
  bytes.writeUInt16LE(flags, at)
  bytes.writeUInt16LE(method, at + 2)
  bytes.writeUInt32LE(sizes.crc, at + 8)
  bytes.writeUInt32LE(sizes.packed, at + 12)
  bytes.writeUInt32LE(sizes.size, at + 16)
  bytes.writeUInt16LE(Buffer.byteLength(name), at + 20)
}

function end(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22)
  bytes.writeUInt32LE(0x06054b50, 0)
  bytes.writeUInt16LE(count, 8)
  bytes.writeUInt16LE(count, 10)
  bytes.writeUInt32LE(size, 12)
  bytes.writeUInt32LE(offset, 16)
  return bytes
}
