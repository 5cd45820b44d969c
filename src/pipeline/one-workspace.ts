// Builds a single workspace: locates its content, and carries the other workspaces over from the last build.
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { UseError } from '../config.ts'
import { type CarriedBuild, carryOthers } from '../emit/carried-build.ts'
import { OutputError } from '../emit/output-error.ts'
import type { OutputFolder } from '../emit/output-folder.ts'
import type { Memo } from '../memo/memo.ts'
import { didYouMean } from '../model/problems.ts'
import type { ContentPlace } from './content-place.ts'
import { type BuildInput, settingsOf, writtenManifest } from './rules/build.ts'

/** The last build, and the inputs that it must match. */
export interface LastBuildOptions {
  readonly folder: OutputFolder
  readonly memo: Memo
  readonly input: Omit<BuildInput, 'fingerprint'>
}

/** The workspace to build. */
export class OneWorkspace {
  readonly #id: string

  constructor(id: string) {
    this.#id = id
  }

  /**
   * Locates the content of the workspace.
   *
   * @throws UseError when there is no such workspace
   */
  placeIn({ root, mounts }: ContentPlace): ContentPlace {
    const entries = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : []
    const folders = entries.filter(isContentFolder)
    const ids = [...folders.map(({ name }) => name), ...mounts.map((mount) => mount.workspace)]
    if (!ids.includes(this.#id)) {
      const unknown = `--workspace: the content has no workspace ${JSON.stringify(this.#id)}.`
      const hint = didYouMean(this.#id, ids)
      throw new UseError(hint === undefined ? unknown : `${unknown} ${hint}`)
    }
    const twin = ids.find((id) => id !== this.#id && id.toLowerCase() === this.#id.toLowerCase())
    if (twin !== undefined) {
      throw new UseError(
        `--workspace: the folders "${this.#id}" and "${twin}" differ in nothing but case. Rename one of the two.`,
      )
    }
    return { root, mounts: mounts.filter(({ workspace }) => ['', this.#id].includes(workspace)) }
  }

  /**
   * The files of the other workspaces in the last build.
   *
   * @throws UseError for a build with drafts
   * @throws OutputError when there is no build, or none by this version with these settings
   */
  carriedBuild({ folder, memo, input }: LastBuildOptions): Promise<CarriedBuild> {
    if (input.drafts === true)
      throw new UseError('--drafts builds all workspaces; leave --workspace out.')
    const { path, manifestFile, isUnfinished } = folder
    const manifest = isUnfinished ? null : (manifestFile?.decoded ?? null)
    if (manifest === null || manifestFile === null) {
      throw new OutputError(`${path} does not contain a complete build. ${buildAll}`)
    }
    if (memo.find(writtenManifest, manifestFile.sha256) !== settingsOf(input)) {
      throw new OutputError(
        `The build cache has no record that \`quarry build\` of this version wrote ${path} with this configuration. ${buildAll}`,
      )
    }
    return carryOthers(path, manifest, this.#id)
  }
}

const buildAll = 'Build all workspaces first, without --workspace.'

function isContentFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules'
}
