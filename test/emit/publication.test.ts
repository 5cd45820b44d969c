import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeManifest } from '../../src/emit/manifest.ts'
import { openOutput } from '../../src/emit/output-folder.ts'
import { type Changes, type Output, Publication } from '../../src/emit/publication.ts'

/** What is published: path and text; two paths of one text are separated by a comma. */
type Texts = Readonly<Record<string, string>>

const old: Texts = {
  'public/v1/acme/posts/a.json,private/v2/acme/posts/a.json': 'a',
  'public/v1/acme/posts/b.json,private/v2/acme/posts/b.json': 'b',
  'public/v1/acme/posts/index.json': 'a, b',
  'function/blocks/1.bin': 'block',
  'function/index.bin': 'index',
}

class Place {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'quarry-publication-'))
  readonly out: string = join(this.folder, 'dist')

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }))
    mkdirSync(join(this.folder, 'content'))
  }

  /** Publishes, as a build does, and counts what was made. */
  async publish(texts: Texts, isForced = false): Promise<Changes & { readonly made: string[] }> {
    const made: string[] = []
    const folder = await openOutput(this.out, join(this.folder, 'content'))
    const publication = new Publication(folder, isForced)
    for (const [paths, text] of Object.entries(texts)) {
      await publication.add(outputOf(paths, text, made))
    }
    const { files } = publication
    const manifest = makeManifest({
      build: Buffer.from(JSON.stringify(texts)).toString('hex'),
      validFrom: null,
      validUntil: null,
      workspaces: {},
      files,
    })
    return { ...(await publication.publish(manifest)), made }
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.out, path), text)
  }

  text(path: string): string {
    return readFileSync(join(this.out, path), 'utf8')
  }
}

function outputOf(joined: string, text: string, made: string[]): Output {
  const paths = joined.split(',')
  const bytes = () => {
    made.push(joined)
    return Buffer.from(text)
  }
  if (joined.startsWith('function/index')) return { paths, bytes, stage: 'index' }
  if (joined.startsWith('function/')) return { paths, bytes, stage: 'data' }
  const stage = joined.includes('index') ? 'list' : 'resource'
  return { paths, bytes, stage, etag: `"${text}"` }
}

/** Files without a tag are made every time. */
const untagged = ['function/blocks/1.bin', 'function/index.bin']

describe('an answer with an entity tag', () => {
  it('is not made again when nothing changed', async () => {
    const place = new Place()
    await place.publish(old)
    expect(await place.publish(old)).toEqual({
      made: untagged,
      written: 0,
      unchanged: 7,
      removed: 0,
    })
  })

  it('is made and written alone when it is the one that changed', async () => {
    const place = new Place()
    await place.publish(old)
    const changes = await place.publish({ ...old, 'public/v1/acme/posts/index.json': 'b, a' })
    expect(changes).toEqual({
      made: ['public/v1/acme/posts/index.json', ...untagged],
      written: 1,
      unchanged: 6,
      removed: 0,
    })
    expect(place.text('public/v1/acme/posts/index.json')).toBe('b, a')
  })

  it('is made again where one of its files is not as it was', async () => {
    const place = new Place()
    await place.publish(old)
    rmSync(join(place.out, 'private/v2/acme/posts/a.json'))
    const { made, written } = await place.publish(old)
    expect(made).toEqual(['public/v1/acme/posts/a.json,private/v2/acme/posts/a.json', ...untagged])
    expect(written).toBe(1)
    expect(place.text('private/v2/acme/posts/a.json')).toBe('a')
  })

  it('is made again when everything is forced', async () => {
    const place = new Place()
    await place.publish(old)
    expect(await place.publish(old, true)).toEqual({
      made: Object.keys(old),
      written: 7,
      unchanged: 0,
      removed: 0,
    })
  })
})

describe('the manifest', () => {
  it('keeps the tags of answers', async () => {
    const place = new Place()
    await place.publish(old)
    const { files } = JSON.parse(place.text('manifest.json'))
    expect(files['public/v1/acme/posts/a.json'].etag).toBe('"a"')
    expect(files['function/index.bin']).not.toHaveProperty('etag')
  })
})
