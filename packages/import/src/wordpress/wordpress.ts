// Imports a WordPress export (WXR) in two passes: first what posts refer to, then the posts one by one.
import { UseError } from 'quarry/authoring'
import { checkedPosts, type DraftPost } from '../html/post-body.ts'
import { MediaFolder } from '../media-folder.ts'
import type { ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { type WxrPosts, wordpressPost } from './posts.ts'
import { type WxrRecord, wxrRecords } from './read-wxr.ts'
import { isPost, placeOf, surveyWxr, typeOf } from './survey.ts'
import { WxrTerms } from './terms.ts'

/** Reads an export of WordPress, any version. @throws UseError when the file is no such export */
export async function importWordpress(context: ImportContext): Promise<ImportedSite> {
  const survey = await surveyWxr(context)
  const terms = new WxrTerms(survey, context.report)
  const media = context.media === undefined ? undefined : new MediaFolder(context.media)
  const posts = { context, survey, terms, media }
  return {
    documents: documentsOf(posts),
    settings: () => ({
      name: survey.title,
      postLink: survey.pattern,
      hasBrokenLinks: context.report.hasFailures,
    }),
  }
}

async function* documentsOf(posts: WxrPosts): AsyncGenerator<ImportedDocument> {
  yield* checkedPosts(draftsOf(posts), posts.context.report)
  yield* posts.terms.documents()
}

async function* draftsOf(posts: WxrPosts): AsyncGenerator<DraftPost> {
  const { report, source } = posts.context
  let count = 0
  for await (const record of wxrRecords(source)) {
    const type = typeOf(record)
    if (isPost(record)) {
      const slug = posts.survey.slugs[count++]
      // The export grew after the first pass.
      if (slug === undefined) throw new UseError(`${source} changed while it was read.`)
      const draft = wordpressPost(record, slug, posts)
      if (draft !== undefined) yield draft
    } else if (type !== undefined) settleItem(record, type, report)
  }
}

function settleItem(record: WxrRecord, type: string, report: ImportContext['report']): void {
  const status = record.texts.get('wp:status')
  const reason = type === 'post' ? `post in status "${status}"` : `item of type "${type}"`
  if (silent.has(type)) report.settle(placeOf(record), 'data')
  else report.settle(placeOf(record), type === 'page' ? 'pages' : 'skipped', reason)
}

/** Items that belong to posts: files, and referenced patterns. */
const silent: ReadonlySet<string> = new Set(['attachment', 'wp_block', 'revision'])
