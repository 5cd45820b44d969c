// Docusaurus: `blog`, `authors.yml`, `tags.yml`, containers and MDX.
import { trimmedEnd } from '../parts.ts'
import { configText, excludedBy, originOf } from './config-text.ts'
import { containersToAlerts } from './containers.ts'
import { defineFromFiles } from './data-files.ts'
import { underscored, withholding } from './folder-sites.ts'
import { findPosts } from './folders.ts'
import { textAt } from './front.ts'
import type { PostHead, SiteGenerator } from './generator.ts'
import { mdxToMarkdown } from './mdx.ts'
import { parentOf, rootsOf } from './roots.ts'

const config = /(?:^|\/)docusaurus\.config\.\w+$/

export const docusaurus: SiteGenerator = (tree, { posts, language, report }) => {
  const isContent = (path: string) =>
    /(?:^|\/)blog\//.test(path) && !/(?:^|\/)(?:i18n|docs|src)\//.test(path)
  const base = trimmedEnd(configText(tree, config, ['baseUrl']) ?? '/', '/')
  const route = configText(tree, config, ['routeBasePath']) === '/' ? '' : '/blog'
  const excluded = excludedBy(tree, config, {
    name: '`exclude`',
    key: /\bexclude["']?\s?:\s{0,9}/g,
    within: /(?:\bblog["']?\s?:|plugin-content-blog["']\s?,)\s{0,99}(?=\{)/g,
    base: /^(?:.*\/)?blog\//.exec(tree.files.find(isContent) ?? '')?.[0] ?? '',
  })
  const stated = (path: string) => ({ ...underscored(path), ...withholding(excluded(path)) })
  const isMdx = !/^(?:detect|md)$/.test(configText(tree, config, ['format']) ?? '')
  return {
    name: configText(tree, config, ['title']),
    url: originOf(configText(tree, config, ['url'])),
    base,
    posts: findPosts(tree, { posts, language, isContent, stated }, report),
    roots: rootsOf(tree, ['static', 'public'], parentOf(tree, config)),
    address: (head) => addressOf(head, `${base}${route}`),
    postLink: `${base}${route}/{year}/{month}/{day}/{slug}`,
    ownKeys: [
      'hide_table_of_contents',
      'toc_min_heading_level',
      'toc_max_heading_level',
      'sidebar_label',
      'pagination_label',
      'custom_edit_url',
      'id',
      'sidebar_position',
      'authorFBID',
    ],
    // All Markdown is MDX by default.
    translate: (body, context) =>
      containersToAlerts(mdxToMarkdown(body, context, isMdx || undefined), context),
    define: (defineTerm) => defineFromFiles(tree, report, defineTerm),
  }
}

function addressOf({ values, date, slug }: PostHead, start: string): string {
  const stated = textAt(values, 'slug')
  if (stated !== undefined) return `${start}/${stated.replace(/^\/|\/$/g, '')}`
  return `${start}/${date.slice(0, 10).replaceAll('-', '/')}/${slug}`
}
