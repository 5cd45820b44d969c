// The interface described, as part of a build: a page for people and a document for programs.
import { type OpenApiOptions, openApiJson } from '../api/openapi.ts'
import type { Output } from '../emit/publication.ts'
import type { Workspace } from '../model/library.ts'
import { explorerPage } from './page.ts'

/** `index.html` and `openapi.json`. */
export function referenceFiles(
  workspaces: readonly Pick<Workspace, 'id' | 'isV1Private'>[],
  options: OpenApiOptions,
): readonly Output[] {
  const page = explorerPage('static', workspaces)
  const document = openApiJson(options)
  return [
    { bytes: () => page, paths: ['public/index.html'], stage: 'list' },
    { bytes: () => document, paths: ['public/openapi.json'], stage: 'list' },
  ]
}
