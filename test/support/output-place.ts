// An output folder into which a test publishes texts, as a build does.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, makeManifest } from '../../src/build/manifest.ts'
import { type Changes, listFiles, type OutputFile, openOutput } from '../../src/build/output.ts'
import { emptyFolder } from './empty-folder.ts'

/** Published texts by path. Two paths of one text are separated by a comma. */
export type Texts = Readonly<Record<string, string>>

/** An output folder beside a content folder. It is removed when the test ends. */
export class Place {
  readonly folder: string = emptyFolder()
  readonly out: string = join(this.folder, 'dist')

  constructor() {
    mkdirSync(join(this.folder, 'content'))
  }

  /** Publishes texts as a build does, and returns the texts that were made. */
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

  /** Reports whether a build would find its last output unchanged. */
  async isLastWhole(isForced = false): Promise<boolean> {
    const output = await openOutput(this.out, join(this.folder, 'content'), isForced)
    try {
      return output.isLastWhole()
    } finally {
      output.close()
    }
  }

  /** Writes a file as another program does, at a later file time. */
  write(path: string, text: string): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15)
    writeFileSync(join(this.out, path), text)
  }

  /** Returns the files below a folder of the output, sorted. */
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

/** Returns an output file. Files of the function have no tag. */
function outputOf(joined: string, text: string, made: string[]): OutputFile {
  const paths = joined.split(',')
  const bytes = () => {
    made.push(joined)
    return Buffer.from(text)
  }
  return joined.startsWith('function/') ? { paths, bytes } : { paths, bytes, etag: `"${text}"` }
}
