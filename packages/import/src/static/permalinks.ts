// URLs of posts, from the permalink patterns of generators.
import { posix } from 'node:path'
import { slugify } from 'quarry/authoring'
import type { PostHead } from './generator.ts'
import { baseName } from './post-head.ts'

const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title.html',
  weekdate: '/:categories/:year/W:week/:short_day/:title.html',
  none: '/:categories/:title.html',
}

/** The pattern of a Jekyll style name, or the pattern itself. */
export function jekyllPermalink(pattern: string): string {
  const whole = (styles[pattern] ?? pattern).replace(':output_ext', '.html')
  return whole.startsWith('/') ? whole : `/${whole}`
}

/** Fills the placeholders of a pattern, such as `:year` or `:slug`. */
export function fillPermalink(pattern: string, head: PostHead): string {
  const { date, file, slug } = head
  const folder = posix.dirname(file.path)
  const places: Readonly<Record<string, string>> = {
    year: date.slice(0, 4),
    short_year: date.slice(2, 4),
    month: date.slice(5, 7),
    i_month: String(Number(date.slice(5, 7))),
    day: date.slice(8, 10),
    i_day: String(Number(date.slice(8, 10))),
    hour: date.slice(11, 13),
    minute: date.slice(14, 16),
    second: date.slice(17, 19),
    title: slug,
    slug,
    name: baseName(file.path),
    filename: baseName(file.path),
    contentbasename: baseName(file.path),
    path: folder,
    categories: (file.categories ?? []).map(slugify).join('/'),
    collection: 'posts',
    section: folder.split('/').at(-1) ?? '',
    sections: folder,
  }
  const filled = pattern.replace(/:([a-z_]+)/g, (place, name: string) => places[name] ?? place)
  return filled.replace(/\/{2,}/g, '/')
}

const placesOfQuarry: Readonly<Record<string, string>> = {
  year: '{year}',
  month: '{month}',
  i_month: '{month}',
  day: '{day}',
  i_day: '{day}',
  title: '{slug}',
  slug: '{slug}',
  name: '{slug}',
  filename: '{slug}',
  contentbasename: '{slug}',
}

/** Converts a pattern to `links.post`; omits placeholders that quarry lacks. */
export function postLinkOf(pattern: string): string {
  const parts = pattern
    .replace(/\.html$/, '')
    .split('/')
    .map((part) => part.replace(/:([a-z_]+)/g, (_, name: string) => placesOfQuarry[name] ?? ''))
    .filter((part) => part !== '' && part !== 'W')
  const path = `/${parts.join('/')}`
  const end = pattern.endsWith('/') ? '/' : ''
  return /\{slug\}/.test(path) ? path + end : `${path.replace(/\/$/, '')}/{slug}${end}`
}
