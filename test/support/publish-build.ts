// Publishes a build that lies elsewhere, as a build of that content would.
// Knows nothing of what it holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeManifest, type Manifest } from '../../src/build/manifest.ts'
import { type Changes, openOutput } from '../../src/build/output.ts'

/** A finished build, and where it is to be published. */
export interface PublishedBuild {
  /** Folder of a finished build. */
  readonly built: string
  readonly out: string
  readonly content: string
  /** @default the one of the finished build */
  readonly manifest?: Manifest
}

/** Publishes; paths of one content go together, as those of both versions do. */
export async function publishBuild(build: PublishedBuild): Promise<Changes> {
  const { built, out, content, manifest = manifestOf(built) } = build
  const groups = new Map<string, string[]>()
  for (const [path, { sha256 }] of manifest.files) {
    groups.set(sha256, [...(groups.get(sha256) ?? []), path])
  }
  const output = await openOutput(out, content)
  try {
    for (const paths of groups.values()) {
      const [first = ''] = paths
      const etag = manifest.files.get(first)?.etag
      const bytes = () => readFileSync(join(built, first))
      await output.add({ paths, bytes, ...(etag === undefined ? {} : { etag }) })
    }
    return output.publish(manifest)
  } finally {
    output.close()
  }
}

function manifestOf(built: string): Manifest {
  const manifest = decodeManifest(readFileSync(join(built, 'manifest.json')))
  if (manifest === null) throw new Error(`${built} holds no build`)
  return manifest
}
