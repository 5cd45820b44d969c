// Imports a JSON export of Ghost in two passes: first what posts refer to, then the posts one by one.
import { UseError } from 'quarry/authoring'
import { checkedPosts, type DraftPost } from '../html/post-body.ts'
import { asObject } from '../json-rows.ts'
import { MediaFolder } from '../media-folder.ts'
import type { ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { type GhostPosts, ghostPost } from './posts.ts'
import { exportRows, isPage, placeOf, surveyExport } from './survey.ts'
import { GhostTerms } from './terms.ts'

/** Reads an export of Ghost, any version. @throws UseError when the file is no such export */
export async function importGhost(context: ImportContext): Promise<ImportedSite> {
  const survey = await surveyExport(context)
  const terms = new GhostTerms(survey, context)
  const media = context.media === undefined ? undefined : new MediaFolder(context.media)
  const posts = { context, survey, terms, media }
  return {
    documents: documentsOf(posts),
    settings: () => ({
      name: survey.title,
      postLink: '/{slug}/',
      // Links to posts that failed to import are broken.
      hasBrokenLinks: context.report.hasFailures,
    }),
  }
}

async function* documentsOf(posts: GhostPosts): AsyncGenerator<ImportedDocument> {
  yield* checkedPosts(draftsOf(posts), posts.context.report)
  yield* posts.terms.documents()
}

async function* draftsOf(posts: GhostPosts): AsyncGenerator<DraftPost> {
  const { report, source } = posts.context
  let count = 0
  for await (const { list, value } of exportRows(source)) {
    const row = list === 'posts' ? asObject(value) : undefined
    if (row === undefined) continue
    if (isPage(row)) report.settle(placeOf(row), 'pages', 'quarry has posts alone')
    else {
      const slug = posts.survey.slugs[count++]
      // The export grew after the first pass.
      if (slug === undefined) throw new UseError(`${source} changed while it was read.`)
      const draft = ghostPost(row, slug, posts)
      if (draft !== undefined) yield draft
    }
  }
}
