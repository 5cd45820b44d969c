// URLs of posts: from the permalink patterns of generators to the pattern of quarry that gives most of them.
import { posix } from 'node:path'
import { slugify } from 'quarry/authoring'
import { decoded } from '../parts.ts'
import { lastSegment } from '../slugs.ts'
import type { PostHead } from './generator.ts'
import { baseName } from './post-head.ts'

const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title.html',
}

/** The pattern of a Jekyll style name, or the pattern itself. */
export function jekyllPermalink(pattern: string): string {
  const whole = (styles[pattern] ?? pattern).replace(':output_ext', '.html')
  return whole.startsWith('/') ? whole : `/${whole}`
}

/** Fills the placeholders of a pattern, such as `:year` or `:slug`. @param path of the page below the content */
export function fillPermalink(
  pattern: string,
  head: PostHead,
  path: string = head.file.path,
): string {
  const { day, file, slug } = head
  const folder = posix.dirname(path).replace(/^\.$/, '')
  const name = baseName(file.path)
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const places: Readonly<Record<string, string>> = {
    year,
    short_year: year.slice(2),
    month,
    i_month: String(Number(month)),
    day: dayOfMonth,
    i_day: String(Number(dayOfMonth)),
    title: slug,
    slug,
    slugorfilename: slug,
    slugorcontentbasename: slug,
    name,
    filename: name,
    contentbasename: name,
    path: folder,
    categories: (head.folderNames ?? []).join('/'),
    category: (head.folderNames ?? []).join('/'),
    collection: 'posts',
    section: folder.split('/')[0] ?? '',
    sections: folder,
  }
  const filled = pattern.replace(/:([a-z_]+)/g, (place, key: string) => places[key] ?? place)
  return filled.replace(/\/{2,}/g, '/')
}

/** Names of categories as Jekyll writes them in URLs. */
export function categoryFolders(names: readonly string[]): readonly string[] {
  return names.map((name) => slugify(name)).filter((name) => name !== '')
}

/** The slug that a URL ends with, if it differs from the one of the file. */
export function slugInAddress(address: string | undefined, slug: string): string {
  if (address === undefined) return slug
  const segments = address.split('/').map((segment) => lastSegment(segment))
  const last = lastSegment(address)
  return segments.includes(slug) || last === '' || /^\d{1,4}$/.test(last) ? slug : last
}

/** A post with its URL in the old site. */
export interface Addressed {
  readonly address: string | undefined
  readonly slug: string
  /** The date that the site's URLs have: `2020-07-01`. */
  readonly day: string
  /** False for a draft, which has no URL in the site. */
  readonly isPublic: boolean
}

/** The pattern for `links.post` that gives the URL of the most public posts; `/{slug}/` when it gives none. */
export function patternOf(posts: readonly Addressed[]): string {
  const votes = new Map<string, number>()
  for (const post of posts) {
    const pattern = patternFor(post)
    const vote = post.isPublic ? 1 : 0
    if (pattern !== undefined) votes.set(pattern, (votes.get(pattern) ?? 0) + vote)
  }
  const [best] = [...votes].sort(
    ([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1),
  )
  return best?.[0] ?? '/{slug}/'
}

function patternFor({ address, slug, day }: Addressed): string | undefined {
  if (address === undefined) return undefined
  const date = day.split('-')
  const names = ['{year}', '{month}', '{day}']
  let part = 0
  const segments = decoded(address).split('/')
  const at = segments.findLastIndex((segment) => segment === slug || segment === `${slug}.html`)
  if (at === -1) return undefined
  const made = segments.map((segment, index) => {
    if (index === at) return segment.replace(slug, '{slug}')
    if (part < 3 && segment === date[part]) return names[part++] ?? segment
    return encodeURI(segment)
  })
  return made.join('/')
}

/** True when a pattern gives the URL of a post. */
export function givesAddress(pattern: string, { address, slug, day }: Addressed): boolean {
  if (address === undefined) return false
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const values: Readonly<Record<string, string>> = { slug, year, month, day: dayOfMonth }
  const made = pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return decoded(made) === decoded(address)
}
