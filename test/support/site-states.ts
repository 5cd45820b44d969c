// What may be found in an output folder at any instant, and what may not.
// Knows nothing of how it came to be.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestOfFile } from '../../src/api/paths.ts'
import { decodeManifest } from '../../src/build/manifest.ts'
import { listFiles } from '../../src/build/output.ts'

/** Every file that belongs to a build, with its bytes; less what is kept for functions that run an older one. */
export function readBuild(out: string): ReadonlyMap<string, string> {
  const manifest = join(out, 'manifest.json')
  const files = existsSync(manifest) ? decodeManifest(readFileSync(manifest))?.files : null
  const isOlder = (path: string) => /^function\/.+\//.test(path) && !files?.has(path)
  return new Map(
    listFiles(out)
      .filter((path) => !isOlder(path))
      .sort()
      .map((path) => [path, readFileSync(join(out, path), 'base64')]),
  )
}

/**
 * What is wrong with the answers in a folder: files that do not parse, and lists that name a post which is not
 * there; empty when all is well.
 */
export function wrongResponses(out: string): readonly string[] {
  const paths = new Set(listFiles(out))
  return [...paths].flatMap((path) => {
    if (requestOfFile(path) === null) return []
    const named = namedPosts(path, readFileSync(join(out, path), 'utf8'))
    if (named === null) return [`${path} does not parse`]
    return named.filter((post) => !paths.has(post)).map((post) => `${path} names ${post}`)
  })
}

/** Files of the posts that an answer names; null when it does not parse. */
export function namedPosts(path: string, text: string): readonly string[] | null {
  const root = path.split('/').slice(0, 3).join('/')
  try {
    const { posts, categories, tags } = JSON.parse(text)
    const terms = [...(categories ?? []), ...(tags ?? [])]
    const lists = [posts?.data ?? posts ?? [], ...terms.map((term) => term.posts?.data ?? [])]
    return lists.flat().map(({ slug }: { slug: string }) => `${root}/posts/${slug}.json`)
  } catch {
    return null
  }
}
