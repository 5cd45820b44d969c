// Docusaurus: the folder and the route of the blog, `authors.yml`, `tags.yml`, containers and MDX.
import { posix } from 'node:path'
import { trimmedEnd } from '../parts.ts'
import { defineFromFiles } from './authors.ts'
import {
  assigned,
  configPrograms,
  configText,
  excludedBy,
  originOf,
  parentOf,
  rootsOf,
} from './config.ts'
import { containers, underscored, withholding } from './folder-sites.ts'
import { findPosts } from './folders.ts'
import { textAt } from './front.ts'
import type { PostHead, SiteGenerator } from './generator.ts'
import { mdxToMarkdown } from './mdx.ts'

const config = /(?:^|\/)docusaurus\.config\.\w+$/
/** Ends before the options of the blog. */
const blogOptions = /(?:\bblog["']?\s?:|plugin-content-blog["']\s?,)\s{0,99}(?=\{)/g

export const docusaurus: SiteGenerator = (tree, { posts, language, report }) => {
  const parent = parentOf(tree, config)
  const [options = ''] = configPrograms(tree, config, blogOptions)
  const named = posts ?? posix.join(parent, assigned(options, 'path') ?? 'blog')
  const folder = tree.below(named).length > 0 ? named : 'blog'
  const isContent = (path: string) =>
    path.startsWith(`${folder}/`) ||
    (/(?:^|\/)blog\//.test(path) && !/(?:^|\/)(?:i18n|docs|src)\//.test(path))
  const base = trimmedEnd(configText(tree, config, ['baseUrl']) ?? '/', '/')
  const route = trimmedEnd(posix.join('/', assigned(options, 'routeBasePath') ?? 'blog'), '/')
  const excluded = excludedBy(tree, config, {
    name: '`exclude`',
    key: /\bexclude["']?\s?:\s{0,9}/g,
    within: blogOptions,
    base: /^(?:.*\/)?blog\//.exec(tree.files.find(isContent) ?? '')?.[0] ?? '',
  })
  const stated = (path: string) => ({ ...underscored(path), ...withholding(excluded(path)) })
  const isMdx = !/^(?:detect|md)$/.test(configText(tree, config, ['format']) ?? '')
  return {
    name: configText(tree, config, ['title']),
    url: originOf(configText(tree, config, ['url'])),
    base,
    posts: findPosts(
      tree,
      {
        posts: posts ?? (tree.below(folder).length > 0 ? folder : undefined),
        language,
        isContent,
        stated,
      },
      report,
    ),
    roots: rootsOf(tree, ['static', 'public'], parent),
    address: (head) => addressOf(head, base + route, folder),
    ownKeys:
      'hide_table_of_contents toc_min_heading_level toc_max_heading_level sidebar_label pagination_label custom_edit_url sidebar_position authorFBID',
    steps: [
      // All Markdown is MDX by default.
      {
        name: 'components',
        run: (text, context) => mdxToMarkdown(text, context, isMdx || undefined),
      },
      containers,
    ],
    define: (defineTerm) => defineFromFiles(tree, report, defineTerm),
  }
}

/** A date in the name of a file becomes folders of the URL; other names are the URL. */
function addressOf({ values, file }: PostHead, start: string, folder: string): string {
  const stated = textAt(values, 'slug')
  if (stated !== undefined) return `${start}/${stated.replace(/^\//, '')}`
  const path = file.path.startsWith(`${folder}/`) ? file.path.slice(folder.length + 1) : file.path
  const plain = path.replace(/\.mdx?$/i, '').replace(/\/index$/, '')
  const [whole, date] = /(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?/.exec(plain) ?? []
  if (whole === undefined || date === undefined) return `${start}/${plain}`
  return `${start}/${date.replaceAll('-', '/')}/${plain.replace(whole, '')}`
}
