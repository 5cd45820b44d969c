// Routes: programs of Astro, Next and Gatsby whose paths are URLs, such as `src/pages/blog/[...slug].astro`.
import { slug as slugged } from 'github-slugger'
import type { PostHead, StaticSite } from '../site.ts'
import { fillPermalink } from './destinations.ts'
import { blogLike } from './folders.ts'
import { textAt } from './front.ts'
import { momentInPath, undatedName } from './post-head.ts'
import type { SourceTree } from './source-tree.ts'

/** Markdown that is a route itself: below `pages`, `page.mdx` of Next, and pages of Starlight. */
// regex: the path of a file
const ownRoute = /(?:^|\/)(?:pages\/|app\/(?:.*\/)?page\.mdx?$|src\/content\/docs\/)/

/** What is before the path of a page, and folders that are in no URL. */
const root =
  /^.*?(?:src\/content\/docs|(?:src\/)?(?:app|pages|content|data|public|markdown|source))\/|\([^()]*\)\/|(?<![^/])_(?=posts\/)/g

/** Creates a reader of URLs, from front matter, routes and names of files. */
export function routedAddresses(
  tree: SourceTree,
  isAstro = false,
): Pick<StaticSite, 'address' | 'isGuess'> {
  const routes = routesIn(tree)
  const read = (head: PostHead): readonly [address: string, isGuess: boolean] => {
    const { path } = head.file
    const stated = textAt(head.values, 'permalink', 'url', 'path') ?? ''
    if (/^\/[^{}]*$/.test(stated)) return [stated, false]
    const plain = path.replace(root, '').replace(/(?:\/(?:index|page|readme))?\.\w+$/i, '')
    const names = plain.split('/').map((name) => (isAstro ? slugged(name) : name))
    const slug = textAt(head.values, 'slug')?.replace(/^\/|\/$/g, '') ?? names.at(-1) ?? ''
    const folders = names.slice(0, -1)
    const route = ownRoute.test(path) ? undefined : routeOf(folders, routes)
    if (route === undefined) return [`/${[...folders, slug].join('/')}`, !ownRoute.test(path)]
    const at = folders.findIndex((folder) => folder === route.name || isBlog(folder))
    // Identifiers of Astro begin below the folder of the collection; paths of other tools may begin anywhere.
    const below = folders.slice(at === -1 && isAstro ? 1 : at + 1)
    const [address, isOpen] = inRoute(route, [...below, slug], head, tree.programs)
    const isFree = route.pattern === '/:path' || at === -1
    return [address, isOpen || (isFree && !isAstro && folders.length > 0)]
  }
  return { address: (head) => read(head)[0], isGuess: (head) => read(head)[1] }
}

const isBlog = (name: string): boolean => blogLike.test(`${name}/`)

/** Returns the only route with the name of a folder, or of a blog, or without a name. */
function routeOf(folders: readonly string[], routes: readonly Route[]): Route | undefined {
  const tests = [(it: string) => folders.includes(it), isBlog, (it: string) => it === '']
  const fitting = tests.map((test) => routes.filter(({ name }) => test(name)))
  return fitting.find(({ length }) => length === 1)?.[0]
}

/** A pattern such as `/blog/:year/:slug`, or `/blog/:path` if the slug is a path; other parameters are `:other`. */
type Route = { readonly pattern: string; readonly name: string }

/** Fills a route. A date in the name of the file is cut if the route has dates, or if programs of the site read dates. */
function inRoute({ pattern }: Route, names: readonly string[], head: PostHead, programs: string) {
  const last = names.at(-1) ?? ''
  const inName = momentInPath(`${last}.md`)?.slice(0, 10)
  const [hasDates, readsDates] = [pattern.includes(':year'), /\\d\{4\}\)?-/.test(programs)]
  const isCut = inName !== undefined && (hasDates || readsDates)
  const slug = isCut ? undatedName({ path: `${last}.md` }) : last
  const day = (readsDates ? inName : undefined) ?? head.day
  const path = [...names.slice(0, -1), slug].join('/')
  const filled = fillPermalink(pattern, { ...head, day, slug }, { path })
  const isOpen = filled.includes(':other') || (isCut && !(hasDates && day === inName))
  return [filled.replaceAll('/:other', ''), isOpen] as const
}

/** Finds routes that end with a slug, by their files. A name is the last segment that is no parameter. */
function routesIn(tree: SourceTree): readonly Route[] {
  // regex: the path of a file
  const file = /(?:^|\/)(?:pages\/(?!api\/)(.+?)(?:\/index)?|app\/(.+)\/page)\.(?:astro|js|[jt]sx)$/
  // `[...slug]`, or `{Mdx.fields__slug}` of Gatsby
  const slug = /\/[[{]{1,2}(\.{3})?[\w.]*(?:slug|id|path|post|article)[\]}]{1,2}$/i
  const routes = tree.files.flatMap((path) => {
    const [, page, segment = ''] = file.exec(path) ?? []
    const plain = `/${page ?? segment}`.replace(/\/[(@][^/]*/g, '')
    const found = plain.replace(slug, (_, dots) => (dots === undefined ? '/:slug' : '/:path'))
    if (found === plain) return []
    tree.report.settle(path, 'data')
    const dated = found.replace(/\[(year|month|day)\]/g, ':$1').replace(/[[{][^/]*/g, ':other')
    const name = dated.split('/').findLast((part) => !part.startsWith(':')) ?? ''
    return [[dated, { pattern: dated, name }] as const]
  })
  return [...new Map(routes).values()]
}
