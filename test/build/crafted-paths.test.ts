// A cache whose records hold paths that lead out of the content folder or out of the output folder.
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Cache } from '../../src/cache/cache.ts'
import { listEntries } from '../../src/content/entries.ts'
import { ListingCache } from '../../src/content/listing-cache.ts'
import { resolveFolder } from '../../src/content/tree.ts'
import { readToolId } from '../../src/pipeline/tool-id.ts'
import { packsIn, rewriteParts } from '../support/crafted-pack.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const post = '---\ntitle: Secret\ncategory: news\npublishedAt: 2026-01-02\n---\nHidden words.\n'

const outside = '../../../secret.md'

it.each<[string, Crafted]>([
  ['beside the content folder', { name: outside }],
  ['beside it, without folders', { name: outside, folders: () => [] }],
  ['in a folder that is none', { name: outside, folders: withOther('acme/posts/../../..') }],
  ['that is hidden', { name: '.secret.md' }],
  ['in a hidden folder', { name: '.git/secret.md', folders: withOther('acme/posts/.git') }],
  ['of a package', { name: 'node_modules/x.md', folders: withOther('acme/posts/node_modules') }],
])('reads no file %s, whatever a kept listing names', async (_, { name, folders }) => {
  const site = (await builtSite()).write(`content/acme/posts/${name}`, post)
  await keepListing(site, (kept) => {
    // Before that of the post: in their order, as all that is listed.
    const at = kept.paths.indexOf('acme/posts/post-1.md')
    return {
      folders: folders?.(kept.folders, site.content) ?? kept.folders,
      paths: kept.paths.toSpliced(at, 0, `acme/posts/${name}`),
      kinds: `${kept.kinds.slice(0, at)}0${kept.kinds.slice(at)}`,
    }
  })
  const { manifest } = await site.build()
  expect(manifest.workspaces['acme']?.posts).toBe(1)
  const texts = site.files().map((path) => site.text(path))
  expect(texts.filter((text) => text.includes('Hidden words'))).toEqual([])
})

it.each([
  ['slug of a post', '"post-1"', '"../../../../../escaped"'],
  ['id of a workspace', '"id":"acme"', '"id":"../../../escaped"'],
])(
  'writes nothing beside the output folder, whatever a kept library has as the %s',
  async (_, old, crafted) => {
    const site = await builtSite()
    const [clean, beside] = [site.manifestHash, readdirSync(site.folder)]
    const [pack = ''] = packsIn(join(site.folder, 'cache'))
    let replaced = 0
    rewriteParts(pack, (bytes, name) => {
      if (name !== 'workspaces' || !bytes.includes(old)) return bytes
      replaced += 1
      return Buffer.from(bytes.toString().replaceAll(old, crafted))
    })
    expect(replaced).toBeGreaterThan(0)
    rmSync(site.out, { recursive: true })
    await site.build()
    expect(readdirSync(site.folder)).toEqual(beside)
    expect(site.manifestHash).toBe(clean)
  },
)

interface Crafted {
  /** Below the folder of posts. */
  readonly name: string
  readonly folders?:
    | ((kept: KeptListing['folders'], content: string) => KeptListing['folders'])
    | undefined
}

interface KeptListing {
  readonly folders: readonly { readonly path: string; readonly mark: string }[]
  readonly paths: readonly string[]
  readonly kinds: string
}

/** With another folder, as it is. */
function withOther(path: string): Crafted['folders'] {
  return (kept, content) => {
    const { dev, ino, mtimeMs, ctimeMs } = lstatSync(join(content, path))
    return [...kept, { path, mark: `${dev} ${ino} ${mtimeMs} ${ctimeMs}` }]
  }
}

/** Keeps a crafted listing under the key under which the next build looks for one. */
async function keepListing(
  site: TemporarySite,
  craft: (kept: KeptListing) => KeptListing,
): Promise<void> {
  const root = await resolveFolder(site.content)
  const cache = Cache.open(join(site.folder, 'cache'))
  const memory = new ListingCache(root, readToolId().tool)
  memory.record(listEntries(root), Date.now() + 60_000)
  expect(memory.store(cache)).toBe(true)
  cache.save({ isComplete: false })
  cache.close()
  let crafted = 0
  for (const pack of packsIn(join(site.folder, 'cache'))) {
    rewriteParts(pack, (bytes, part) => {
      if (part !== 'json' || !bytes.includes('"folders"')) return bytes
      crafted += 1
      return Buffer.from(JSON.stringify(craft(JSON.parse(String(bytes)))))
    })
  }
  expect(crafted).toBe(1)
}

async function builtSite(): Promise<TemporarySite> {
  const site = temporarySite({ cache: 'cache' }).posts(1)
  await site.build()
  return site
}
