// Posts from a folder of Markdown that was written for another tool: its texts and layout, with front matter that
// every tool of the bench reads.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { CorpusPost } from './corpus.ts'

/** The maximum file size of quarry. Larger files are skipped. */
const fileBytesMax = 1024 * 1024

/**
 * Generates `posts` posts of a folder, evenly spread over its files in path order; all posts if there are fewer.
 *
 * Front matter is replaced: title and description, a category from the first folder, a tag from the second, and dates
 * in path order. Files that are not UTF-8 or larger than 1 MiB are skipped.
 */
export function* treePosts(folder: string, posts: number): Generator<CorpusPost> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
    .sort()
  const step = Math.max(1, paths.length / posts)
  for (let number = 0; number < Math.min(posts, paths.length); number++) {
    const path = paths[Math.floor(number * step)] ?? ''
    const text = readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n')
    if (text.length > fileBytesMax || text.includes('\ufffd')) continue
    yield treePost(path, text, number)
  }
}

function treePost(path: string, text: string, number: number): CorpusPost {
  const [, yaml = '', body = text] = /^---\n(.*?\n)---\n(.*)$/s.exec(text) ?? []
  const { title, description } = fieldsOf(yaml)
  const [category = 'none', tag = 'none'] = path.split('/').slice(0, -1)
  const published = new Date(Date.UTC(2000, 0, 1) + number * 3.6e6)
  const frontMatter = [
    `title: ${JSON.stringify(String(title ?? path))}`,
    `description: ${JSON.stringify(String(description ?? ''))}`,
    `slug: post-${number}`,
    `category: category-${slugOf(category)}`,
    `tags: [tag-${slugOf(tag)}]`,
    `authors: [author-${number % 12}]`,
    `publishedAt: ${published.toISOString()}`,
  ].join('\n')
  // Hugo does not treat files with these names as posts.
  const name = path.slice(0, -'.md'.length).replace(/(^|\/)_?index$/, '$1index-page')
  // Hugo would execute these as template calls.
  return { name, frontMatter, body: body.replace(/\{\{(?=[<%])/g, '{ {') }
}

function fieldsOf(yaml: string): Readonly<Record<string, unknown>> {
  try {
    return parse(yaml) ?? {}
  } catch {
    return {}
  }
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
