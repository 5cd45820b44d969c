// Imports a WordPress export (WXR), in two passes: what posts refer to, then the posts one by one.
import { UseError } from '../../config/use-error.ts'
import { createConverter } from '../html/convert.ts'
import { MediaFolder } from '../media-folder.ts'
import type { ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { type WxrPosts, wordpressPost } from './posts.ts'
import { wxrRecords } from './read-wxr.ts'
import { isPost, placeOf, surveyWxr, typeOf } from './survey.ts'
import { WxrTerms } from './terms.ts'

/** Reads an export of WordPress, any version. @throws UseError when it is none */
export async function importWordpress(context: ImportContext): Promise<ImportedSite> {
  const survey = await surveyWxr(context)
  const terms = new WxrTerms(survey, context.report)
  const media = context.media === undefined ? undefined : new MediaFolder(context.media)
  const posts = { context, survey, terms, media, convert: await createConverter() }
  return { documents: documentsOf(posts), settings: () => ({ name: survey.title }) }
}

async function* documentsOf(posts: WxrPosts): AsyncGenerator<ImportedDocument> {
  const { report, source } = posts.context
  let count = 0
  for await (const record of wxrRecords(source)) {
    const type = typeOf(record)
    if (isPost(record)) {
      const slug = posts.survey.slugs[count++]
      // The export became longer since the first pass.
      if (slug === undefined) throw new UseError(`${source} changed while it was read.`)
      const document = wordpressPost(record, slug, posts)
      if (document !== undefined) yield document
    } else if (type !== undefined && !silent.has(type)) {
      const status = record.texts.get('wp:status')
      const reason = type === 'post' ? `post in status "${status}"` : `item of type "${type}"`
      report.add('left', reason, placeOf(record))
    }
  }
  yield* posts.terms.documents()
}

/** Items that belong to others: files, and patterns that posts refer to. */
const silent: ReadonlySet<string> = new Set(['attachment', 'wp_block', 'revision'])
