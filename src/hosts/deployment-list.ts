// The list in every deployment: its files and its build. It also marks the folder as written by quarry.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { FileEntry } from '../emit/file-entries.ts'
import type { Manifest } from '../emit/manifest.ts'
import { functionFolder, rootName } from '../snapshot/format.ts'
import type { HostName } from './names.ts'

/** The file name of the list. */
export const deploymentList = 'deployment.json'

/** A file of a deployment. */
export type DeployedFile = Pick<FileEntry, 'bytes' | 'sha256'>

/** The source of a deployment. */
export interface DeploymentHead {
  readonly host: HostName
  /** The build's id. */
  readonly build: string
  /** The name of the output folder, a sibling of the deployment; null when an older version did not record it. */
  readonly out: string | null
  /** SHA-256 of the root, hexadecimal. It changes with drafts; the build's id does not. @default unknown */
  readonly root?: string | undefined
}

/** The hash of a build's root; undefined when its manifest names none. */
export function rootOf({ files }: Pick<Manifest, 'files'>): string | undefined {
  return files.get(`${functionFolder}/${rootName}`)?.sha256
}

/** Encodes the list as JSON, head first. */
export function encodeDeploymentList(
  { host, build, out, root }: DeploymentHead,
  files: ReadonlyMap<string, DeployedFile>,
): string {
  return `${JSON.stringify({ quarry: 1, host, build, out, root, files: Object.fromEntries(files) }, null, 1)}\n`
}

/** Reads the head of the list in a folder; null when the folder has no list of quarry's. */
export function readDeploymentHead(folder: string): DeploymentHead | null {
  const file = join(folder, deploymentList)
  const match = existsSync(file) ? headPattern.exec(readBeginning(file)) : null
  if (match === null) return null
  const [, host = '', build = '', out, root] = match
  return {
    host: host as HostName,
    build,
    out: out === undefined ? null : JSON.parse(out),
    root,
  }
}

const headPattern =
  /^\{\n "quarry": 1,\n "host": "([\w-]+)",\n "build": "(\w+)",(?:\n "out": (".*"),)?(?:\n "root": "(\w+)",)?\n/

/** Reads only the beginning: a list may be long, its head never is. */
function readBeginning(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(4096)
    return bytes.subarray(0, readSync(descriptor, bytes)).toString()
  } finally {
    closeSync(descriptor)
  }
}
