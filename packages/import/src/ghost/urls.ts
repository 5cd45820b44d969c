// Maps the URLs of a Ghost export, which omit the origin and refer to images in several sizes.
import type { RewriteUrl } from '../html/clean.ts'
import type { PostImages } from '../html/post-body.ts'
import type { GhostSurvey } from './survey.ts'

/** The site and its new slugs. */
export interface GhostUrls {
  readonly site: string | undefined
  readonly slugOfSlug: GhostSurvey['slugOfSlug']
  /** Called for an image that keeps a path without an origin. */
  readonly left: (path: string) => void
}

/** Ghost's placeholder for the origin of the site. */
const origin = '__GHOST_URL__'

/** Rewrites URLs of a post: images in `--media` and links to other posts become files of the workspace. */
export function ghostUrls(
  { site = '', slugOfSlug, left }: GhostUrls,
  images: PostImages,
): RewriteUrl {
  return (url, use) => {
    const path = localPath(url, site)
    if (path === undefined) return url
    const file = use === 'image' ? imageFile(path, images) : postFile(path, slugOfSlug)
    if (file === undefined && site === '' && use === 'image') left(path)
    return file ?? site + path
  }
}

/** The path of a URL on the site itself; undefined for other URLs. */
function localPath(url: string, site: string): string | undefined {
  if (url.startsWith(origin)) return url.slice(origin.length) || '/'
  if (site !== '' && (url === site || url.startsWith(`${site}/`)))
    return url.slice(site.length) || '/'
  return url.startsWith('/') && !url.startsWith('//') ? url : undefined
}

function imageFile(path: string, images: PostImages): string | undefined {
  const [, file] =
    /^\/content\/images\/(?:size\/[^/]+\/(?:format\/[^/]+\/)?)?([^?#]+)/.exec(path) ?? []
  return file === undefined
    ? undefined
    : images.take([file, `content/images/${file}`, `images/${file}`])
}

/** The prefixes of Ghost's own routes. */
const routes = /^\/(?:author|content|ghost|p|page|rss|tag)\//

function postFile(path: string, slugOfSlug: GhostSurvey['slugOfSlug']): string | undefined {
  if (routes.test(path)) return undefined
  const [plain = ''] = path.split(/[?#]/, 1)
  const rest = path.slice(plain.length)
  const segment = plain.replace(/\/$/, '').split('/').at(-1) ?? ''
  const slug = slugOfSlug.get(segment)
  return slug === undefined ? undefined : `./${slug}.md${rest}`
}
