// The interface described, as part of a build: a page for people and a document for programs.
import { openApiJson } from '../api/openapi.ts'
import type { Output } from '../emit/publication.ts'
import type { Workspace } from '../model/library.ts'
import { explorerPage } from './page.ts'

/** `index.html` and `openapi.json`. @param limitAll false where `limit=all` is switched off */
export function referenceFiles(
  workspaces: readonly Pick<Workspace, 'id' | 'isV1Private'>[],
  limitAll: boolean,
): readonly Output[] {
  const page = explorerPage('static', workspaces)
  const document = openApiJson(limitAll)
  return [
    { bytes: () => page, paths: ['public/index.html'], stage: 'list' },
    { bytes: () => document, paths: ['public/openapi.json'], stage: 'list' },
  ]
}
