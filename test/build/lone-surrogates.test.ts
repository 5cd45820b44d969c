// A lone surrogate of a YAML escape is U+FFFD in all that is served.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

/** Of the values with one. */
const places = [
  'acme/authors.yml:2:9',
  'acme/categories.yml:2:9',
  'acme/categories.yml:3:16',
  'acme/posts/one.md:2:8',
  'acme/posts/one.md:5:14',
  'acme/posts/one.md:9:6',
  'acme/tags.yml:2:9',
  'acme/workspace.yml:1:7',
  'acme/workspace.yml:4:17',
]

it('serves U+FFFD for a lone surrogate, and warns of each with its place', async () => {
  const site = temporarySite({ cache: 'cache' })
    .remove('content/acme/categories')
    .write(
      'content/acme/workspace.yml',
      'name: "Acme \\ud800"\nfields:\n  a: text\n  b: { default: "\\ud800", type: text }\n',
    )
    .write('content/acme/authors.yml', '- slug: ada\n  name: "A\\udc00"\n')
    .write(
      'content/acme/categories.yml',
      '- slug: news\n  name: "N\\ud800"\n  description: "It\\ud800"\n',
    )
    .write('content/acme/tags.yml', '- slug: tag\n  name: "T\\ud800"\n')
    .post('one', {
      title: '"a\\ud800b"',
      description: '"x\\udfffy"',
      tags: '[tag]',
      authors: '[ada]',
      fields: '\n  a: "fie\\ud800ld"',
    })
  const { diagnostics } = await site.build()
  const found = diagnostics.filter(({ code }) => code === 'yaml-lone-surrogate')
  expect(found.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual(places)
  expect(new Set(diagnostics.map(({ severity }) => severity))).toEqual(new Set(['warning']))
  const post = site.json('public/v1/acme/posts/one.json').post
  expect(post).toMatchObject({
    title: 'a\ufffdb',
    description: 'x\ufffdy',
    fields: { b: '\ufffd' },
  })
  expect([post.category.name, post.tags[0].name, post.authors[0].name]).toEqual([
    'N\ufffd',
    'T\ufffd',
    'A\ufffd',
  ])
  const served = site.files().filter((path) => path.startsWith('public/') && path.endsWith('.json'))
  expect(served.length).toBeGreaterThan(4)
  for (const path of served) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      readFileSync(join(site.out, path)),
    )
    expect(text).not.toMatch(/\\u[dD][89a-fA-F]/)
  }
  site.post('two')
  const again = (await site.build()).diagnostics
  expect(again).toEqual(diagnostics)
})
