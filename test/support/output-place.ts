// An output folder that a test publishes texts into, as a build does.
// Knows nothing of content.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { inOrder, type Manifest, makeManifest } from '../../src/build/manifest.ts'
import { listFiles, openOutput } from '../../src/build/output.ts'
import { type Changes, type Output, Writer } from '../../src/build/write.ts'

/** What is published: path and text; two paths of one text are separated by a comma. */
export type Texts = Readonly<Record<string, string>>

/** A build of two posts. */
export const old: Texts = {
  'public/v1/acme/posts/a.json,private/v2/acme/posts/a.json': 'a',
  'public/v1/acme/posts/b.json,private/v2/acme/posts/b.json': 'b',
  'public/v1/acme/posts/index.json': 'a, b',
  'function/data/part-x.bin': 'block',
  'function/root.json': 'index',
}

/** An output folder beside a content folder, removed when the test ends. */
export class Place {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'quarry-output-'))
  readonly out: string = join(this.folder, 'dist')
  /** As in `PublicationOptions`. */
  isOwnerOnly: boolean | undefined

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }))
    mkdirSync(join(this.folder, 'content'))
  }

  /**
   * Publishes, as a build does, and counts what was made.
   *
   */
  async publish(texts: Texts, isForced = false): Promise<Changes & { readonly made: string[] }> {
    const made: string[] = []
    const writer = new Writer(await openOutput(this.out, join(this.folder, 'content')), {
      isForced,
      isOwnerOnly: this.isOwnerOnly,
    })
    try {
      for (const [paths, text] of Object.entries(texts)) {
        await writer.add(outputOf(paths, text, made))
      }
      return { ...(await writer.publish(manifestOf(texts, writer.files))), made }
    } finally {
      writer.close()
    }
  }

  /** What a build finds that could leave everything as it is. */
  async isLastWhole(isForced = false): Promise<boolean> {
    const folder = await openOutput(this.out, join(this.folder, 'content'))
    const writer = new Writer(folder, { isForced })
    try {
      return writer.isLastWhole()
    } finally {
      writer.close()
    }
  }

  /** Writes a file as somebody else, at a later tick of the clock of files. */
  write(path: string, text: string): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15)
    writeFileSync(join(this.out, path), text)
  }

  /** Files below a folder of it, sorted. */
  files(folder: string): readonly string[] {
    return listFiles(join(this.out, folder))
      .map((path) => `${folder}/${path}`)
      .sort()
  }

  text(path: string): string {
    return readFileSync(join(this.out, path), 'utf8')
  }
}

function manifestOf(texts: Texts, files: Manifest['files']): Manifest {
  const build = Buffer.from(JSON.stringify(texts)).toString('hex')
  return makeManifest({
    build,
    validFrom: null,
    validUntil: null,
    workspaces: {},
    files: inOrder(files),
  })
}

function outputOf(joined: string, text: string, made: string[]): Output {
  const paths = joined.split(',')
  const bytes = () => {
    made.push(joined)
    return Buffer.from(text)
  }
  if (joined.startsWith('function/root')) return { paths, bytes, stage: 'index' }
  if (joined.startsWith('function/')) return { paths, bytes, stage: 'data' }
  const stage = joined.includes('index') ? 'list' : 'resource'
  return { paths, bytes, stage, etag: `"${text}"` }
}
