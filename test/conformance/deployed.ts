// An example made into a deployment: the fixture's content, built by the command for the example's host.
// Knows nothing of how a host is started.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeManifest } from '../../src/build/manifest.ts'
import type { HostName } from '../../src/config/host-names.ts'
import { run } from '../support/command-line.ts'
import { type SiteDescription, writeFixture } from './fixture.ts'

const root = join(import.meta.dirname, '../..')

/** The workspaces of a build without scheduled posts: hosts that do not know the site are told of them. */
export function unscheduledWorkspaces(folder: string): readonly string[] {
  const manifest = decodeManifest(readFileSync(join(folder, 'dist/manifest.json')))
  const all = Object.entries(manifest?.workspaces ?? {})
  return all.filter(([, { scheduled }]) => scheduled === 0).map(([id]) => id)
}

/** A deployment in a folder of its own. */
export interface Deployed {
  /** The example's. */
  readonly folder: string
  readonly site: SiteDescription
  /** What the command said. */
  readonly said: string
  remove(): void
}

/**
 * Copies a host's example, writes the fixture into it, and runs its build, with drafts.
 *
 * @param addContent adds to the content folder
 */
export async function deployExample(
  host: HostName | 'aws' | 'nginx',
  addContent: (content: string) => void = () => {},
): Promise<Deployed> {
  const folder = mkdtempSync(join(tmpdir(), `quarry-${host}-`))
  cpSync(join(root, 'examples', host), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/quarry'))
  // The example's content is that of the repository.
  const config = join(folder, 'quarry.config.ts')
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace("content: '../../content'", 'changes: true'),
  )
  const site = writeFixture(join(folder, 'content'))
  addContent(join(folder, 'content'))
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [program, ...words] = (scripts.build as string).split(' ')
  if (program !== 'quarry') throw new Error(`${host}: the build runs ${program}`)
  const { exitCode, stdout, stderr } = await run(folder, [...words, '--drafts'], {
    QUARRY_WORKERS: '1',
  })
  if (exitCode !== 0) throw new Error(`${host}: the build ended with ${exitCode}: ${stderr}`)
  return {
    folder,
    site,
    said: stdout,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
