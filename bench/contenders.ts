// The compared tools. Each has a project that writes JSON for every post, every page of 10 posts, and every category,
// tag and author, if the tool supports it.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CorpusPost, writePosts, writeWorkspace } from './corpus.ts'
import type { Command } from './measured-run.ts'

/** A tool under measurement, with its project on disk. */
export interface Contender {
  readonly name: string
  readonly command: Command
  /** The source path of the edited post. */
  fileOf(post: string): string
  /** Output folders, relative to the project. */
  readonly output: readonly string[]
  /** Cache folders, relative to the project. */
  readonly memory: readonly string[]
}

/** Iterates over the posts of a corpus; may be called repeatedly. */
export type ReadPosts = () => Iterable<CorpusPost>

const eleventyVersion = '3.1.2'
const veliteVersion = '0.4.0'

/**
 * Installs the npm peers.
 *
 * @param folder the parent of their `node_modules`
 */
export function installPeers(folder: string): void {
  // Any version works, because nothing is copied. Not every registry has all versions.
  const overrides = { '@11ty/recursive-copy': '*' }
  write(folder, { 'package.json': JSON.stringify({ private: true, type: 'module', overrides }) })
  const packages = [`@11ty/eleventy@${eleventyVersion}`, `velite@${veliteVersion}`]
  const options = ['--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'pipe' })
}

/** Returns quarry's compiled command. */
export function quarry(folder: string, posts: ReadPosts): Contender {
  writeWorkspace(join(folder, 'content'), posts())
  const main = join(import.meta.dirname, '../.lib/cli/main.js')
  return {
    name: 'quarry',
    command: { file: process.execPath, args: [main, 'build', '--quiet'], folder },
    fileOf: (post) => join(folder, `content/bench/posts/${post}.md`),
    output: ['dist'],
    memory: ['node_modules'],
  }
}

/** Returns Hugo with JSON as its output format. */
export function hugo(folder: string, posts: ReadPosts): Contender {
  write(folder, {
    'config.toml': `baseURL = "https://example.com/"
disableKinds = ["RSS", "sitemap", "robotsTXT", "404", "home"]
paginate = 10
[taxonomies]
category = "categories"
tag = "tags"
author = "authors"
[outputs]
page = ["json"]
section = ["json"]
taxonomy = ["json"]
term = ["json"]
`,
    'layouts/_default/single.json': `{"post":${hugoPost}}`,
    'layouts/_default/list.json': `{{ $pages := .Paginator }}{"posts":[{{ range $i, $page := $pages.Pages }}{{ if $i }},{{ end }}{{ with $page }}${hugoPost}{{ end }}{{ end }}],"totalPages":{{ $pages.TotalPages }}}`,
    'layouts/_default/terms.json': `{"terms":[{{ range $i, $term := .Data.Terms.ByCount }}{{ if $i }},{{ end }}{"name":{{ $term.Name | jsonify }},"count":{{ $term.Count }}}{{ end }}]}`,
  })
  const adapt = (text: string) =>
    text.replace(/^category: (.*)$/m, 'categories: [$1]').replace(/^publishedAt:/m, 'date:')
  writePosts(join(folder, 'content/posts'), adapted(posts(), adapt))
  return {
    name: 'Hugo',
    command: { file: 'hugo', args: ['--quiet'], folder },
    fileOf: (post) => join(folder, `content/posts/${post}.md`),
    output: ['public'],
    memory: ['resources'],
  }
}

const hugoPost =
  '{"slug":{{ .File.ContentBaseName | jsonify }},"title":{{ .Title | jsonify }},"description":{{ .Description | jsonify }},"date":{{ .Date | jsonify }},"categories":{{ .Params.categories | jsonify }},"tags":{{ .Params.tags | jsonify }},"authors":{{ .Params.authors | jsonify }},"content":{{ .Content | jsonify }}}'

/** Returns Eleventy with JavaScript templates. */
export function eleventy(folder: string, posts: ReadPosts, peers: string): Contender {
  const shape =
    '({ slug: page.fileSlug, title: data.title, description: data.description, date: data.publishedAt, category: data.category, tags: data.labels, authors: data.authors, content })'
  const itemOf = `const item = ({ page, data, content }) => ${shape}\n`
  write(folder, {
    'package.json': '{ "private": true, "type": "module" }\n',
    'eleventy.config.js': `${itemOf}export default (config) => {
  const by = (field) => (api) => {
    const groups = new Map()
    for (const post of api.getFilteredByGlob('src/posts/*.md')) {
      for (const name of [post.data[field]].flat()) groups.set(name, [...(groups.get(name) ?? []), post])
    }
    return [...groups].flatMap(([name, posts]) =>
      Array.from({ length: Math.ceil(posts.length / 10) }, (_, page) => ({
        name, page, posts: posts.slice(page * 10, page * 10 + 10), total: posts.length,
      })),
    )
  }
  config.addCollection('all_posts', (api) => api.getFilteredByGlob('src/posts/*.md'))
  for (const field of ['category', 'labels', 'authors']) config.addCollection('by_' + field, by(field))
  return { dir: { input: 'src', output: '_site', includes: '_includes' } }
}
`,
    'src/posts/posts.11tydata.js': `export default { layout: 'post.11ty.js', permalink: ({ page }) => '/posts/' + page.fileSlug + '.json' }\n`,
    'src/_includes/post.11ty.js': `${itemOf}export default { render: (data) => JSON.stringify({ post: item({ page: data.page, data, content: data.content }) }) }\n`,
    'src/list.11ty.js': `${itemOf}export default {
  data: { pagination: { data: 'collections.all_posts', size: 10, alias: 'list' }, permalink: ({ pagination }) => '/lists/' + pagination.pageNumber + '.json' },
  render: ({ list }) => JSON.stringify({ posts: list.map(item) }),
}
`,
    ...Object.fromEntries(
      ['category', 'labels', 'authors'].map((field) => [
        `src/${field}.11ty.js`,
        `${itemOf}export default {
  data: { pagination: { data: 'collections.by_${field}', size: 1, alias: 'term' }, permalink: ({ term }) => '/${field}/' + term.name + '/' + term.page + '.json' },
  render: ({ term }) => JSON.stringify({ name: term.name, total: term.total, posts: term.posts.map(item) }),
}
`,
      ]),
    ),
  })
  // Eleventy creates collections from the key "tags".
  const adapt = (text: string) => text.replace(/^tags:/m, 'labels:')
  writePosts(join(folder, 'src/posts'), adapted(posts(), adapt))
  symlinkSync(join(peers, 'node_modules'), join(folder, 'node_modules'))
  return {
    name: 'Eleventy',
    command: {
      file: process.execPath,
      args: ['node_modules/@11ty/eleventy/cmd.cjs', '--quiet'],
      folder,
    },
    fileOf: (post) => join(folder, `src/posts/${post}.md`),
    output: ['_site'],
    memory: ['.cache'],
  }
}

/** Returns Velite with only posts, in one file, because it creates no pages and no lists of terms. */
export function velite(folder: string, posts: ReadPosts, peers: string): Contender {
  write(folder, {
    'package.json': '{ "private": true, "type": "module" }\n',
    'velite.config.js': `import { defineConfig, s } from 'velite'
const posts = {
  name: 'Post',
  pattern: 'posts/*.md',
  schema: s.object({
    title: s.string(), description: s.string(), category: s.string(), tags: s.array(s.string()),
    authors: s.array(s.string()), publishedAt: s.isodate(), slug: s.path(), content: s.markdown(),
  }),
}
export default defineConfig({ root: 'content', collections: { posts } })
`,
  })
  writePosts(join(folder, 'content/posts'), posts())
  symlinkSync(join(peers, 'node_modules'), join(folder, 'node_modules'))
  return {
    name: 'Velite',
    command: {
      file: process.execPath,
      args: ['node_modules/velite/bin/velite.js', 'build'],
      folder,
    },
    fileOf: (post) => join(folder, `content/posts/${post}.md`),
    output: ['public', '.velite'],
    memory: [],
  }
}

function* adapted(
  posts: Iterable<CorpusPost>,
  adapt: (frontMatter: CorpusPost['frontMatter']) => string,
): Generator<CorpusPost> {
  for (const post of posts) yield { ...post, frontMatter: adapt(post.frontMatter) }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/**
 * Moves folders of a project aside instead of deleting them. For over a minute after a file is deleted, ext4 revisits
 * its place for every new file. After thousands of deletions, that takes ten times as long. A new clone has no
 * deletions.
 */
export function putAside(folder: string, names: readonly string[]): void {
  const aside = join(folder, '../aside', randomUUID())
  mkdirSync(aside, { recursive: true })
  for (const name of names) {
    if (existsSync(join(folder, name))) renameSync(join(folder, name), join(aside, name))
  }
}
