// An output folder that a test publishes texts into, as a build does.
// Knows nothing of content.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, makeManifest } from '../../src/build/manifest.ts'
import { type Changes, listFiles, type OutputFile, openOutput } from '../../src/build/output.ts'
import { emptyFolder } from './empty-folder.ts'

/** What is published: path and text; two paths of one text are separated by a comma. */
export type Texts = Readonly<Record<string, string>>

/** An output folder beside a content folder, removed when the test ends. */
export class Place {
  readonly folder: string = emptyFolder()
  readonly out: string = join(this.folder, 'dist')

  constructor() {
    mkdirSync(join(this.folder, 'content'))
  }

  /** Publishes, as a build does, and counts what was made. */
  async publish(texts: Texts, isForced = false): Promise<Changes & { readonly made: string[] }> {
    const made: string[] = []
    const output = await openOutput(this.out, join(this.folder, 'content'), isForced)
    try {
      for (const [paths, text] of Object.entries(texts)) {
        await output.add(outputOf(paths, text, made))
      }
      return { ...output.publish(manifestOf(texts, output.files)), made }
    } finally {
      output.close()
    }
  }

  /** What a build finds that could leave everything as it is. */
  async isLastWhole(isForced = false): Promise<boolean> {
    const output = await openOutput(this.out, join(this.folder, 'content'), isForced)
    try {
      return output.isLastWhole()
    } finally {
      output.close()
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
  return makeManifest({ build, validFrom: null, validUntil: null, workspaces: {}, files })
}

/** Files of the function have no tag. */
function outputOf(joined: string, text: string, made: string[]): OutputFile {
  const paths = joined.split(',')
  const bytes = () => {
    made.push(joined)
    return Buffer.from(text)
  }
  return joined.startsWith('function/') ? { paths, bytes } : { paths, bytes, etag: `"${text}"` }
}
