// `quarry editor`: configurations of editors, made from the settings and fields of each workspace.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { call } from '../support/command-call.ts'
import { type TemporarySite, temporarySite } from '../support/temporary-site.ts'

const definitions = `name: The Site
fields:
  rating: { type: number, label: Rating, required: true }
  level: { type: select, options: [low, high], default: low }
  next: { type: reference, to: guides }
collections:
  guides: { folder: guides, fields: { due: date, steps: { type: objects, fields: { by: text } } } }
`

function site(): TemporarySite {
  return temporarySite()
    .write('content/acme/workspace.yml', definitions)
    .write('content/acme/tags.yml', '- { slug: hot, name: Hot }\n')
    .write('content/open/workspace.yml', 'references: create\n')
    .write('content/acme/guides/a/one.md', '---\ntitle: One\n---\n')
    .post('one', { fields: '{ rating: 1 }' })
}

const named = (items: readonly { readonly name: string }[], name: string) =>
  items.find((item) => item.name === name) as unknown as Readonly<Record<string, never>>

it('describes posts and terms to Decap CMS, and keeps what a person added', async () => {
  const own = site().write(
    'admin/config.yml',
    `# Ours.
backend: { name: git-gateway }
site_url: https://example.com
collections:
  - name: acme-posts
    preview_path: blog/{{slug}}
    fields: [{ name: title, hint: Short. }, { name: mood, widget: string }]
  - { name: pages, files: [] }
`,
  )
  const path = join(own.folder, 'admin/config.yml')
  expect(await call(own.folder, ['editor', 'decap'])).toMatchObject({ exitCode: 0, stderr: '' })
  const text = readFileSync(path, 'utf8')
  const { collections, ...top } = parse(text)
  expect(text).toMatch(/^# Ours\./)
  expect(top).toMatchObject({ backend: { name: 'git-gateway' }, site_url: 'https://example.com' })
  expect(collections.map(({ name }: { name: string }) => name)).toEqual([
    ...['acme-posts', 'pages', 'acme-categories', 'acme-guides', 'open-posts'],
  ])
  const { fields, ...posts } = collections[0]
  expect(posts).toMatchObject({ folder: 'content/acme/posts', preview_path: 'blog/{{slug}}' })
  expect(posts).toMatchObject({ create: true, slug: '{{year}}-{{month}}-{{day}}-{{slug}}' })
  expect(named(fields, 'title')).toMatchObject({ hint: 'Short.', widget: 'string', required: true })
  expect(named(fields, 'mood')).toEqual({ name: 'mood', widget: 'string' })
  expect(named(fields, 'category')).toMatchObject({ widget: 'select', options: ['news'] })
  expect(named(fields, 'tags')).toMatchObject({ multiple: true, options: ['hot'] })
  expect(named(fields, 'fields')['fields']).toMatchObject([
    { name: 'rating', label: 'Rating', widget: 'number', required: true },
    { name: 'level', widget: 'select', options: ['low', 'high'] },
    { name: 'next', widget: 'select', options: ['a/one'] },
  ])
  expect(text).not.toMatch(/default:|[&*]a\d/) // editors write defaults into posts that exist
  expect(named(collections[3].fields, 'steps')).toMatchObject({ fields: [{ name: 'by' }] })
  expect(named(collections[4].fields, 'category')).toMatchObject({ widget: 'string' })
  await call(own.folder, ['editor', 'sveltia'])
  expect(readFileSync(path, 'utf8')).toBe(text)
})

it('describes them to Pages CMS, and refuses other editors and files', async () => {
  const own = site()
  expect(await call(own.folder, ['editor', 'pages'])).toMatchObject({ exitCode: 0, stderr: '' })
  const { settings, media, content } = parse(readFileSync(join(own.folder, '.pages.yml'), 'utf8'))
  expect(settings).toEqual({ content: { merge: true } }) // or keys without a field are lost
  expect(named(content[2].fields, 'due')).toMatchObject({ type: 'string' })
  expect(media[0]).toMatchObject({ input: 'content/acme/media', output: '../media' })
  expect(content[0]).toMatchObject({ path: 'content/acme/posts', format: 'yaml-frontmatter' })
  expect(named(content[0].fields, 'tags')).toMatchObject({
    ...{ type: 'select', options: { values: ['hot'], multiple: true } },
  })
  expect(await call(own.folder, ['editor', 'word'])).toMatchObject({ exitCode: 2 })
  own.write('.pages.yml', '- a\n')
  const { stderr } = await call(own.folder, ['editor', 'pages'])
  expect(stderr).toContain('is not a map in YAML')
})
