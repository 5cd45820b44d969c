import { expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

/** The problems of forty posts that depend on every setting, in a workspace with these files. */
async function problemsOf(files: Readonly<Record<string, string>>) {
  const site = temporarySite().write(
    'content/acme/posts/b.md',
    '---\ntitle: B\ndate: 2026-01-02\n---\n',
  )
  for (const [path, text] of Object.entries(files)) site.write(`content/acme/${path}`, text)
  const head = 'title: T\ndate: 2026-01-02\ntags: [a, b]\nauthors: [Ada]'
  for (let number = 0; number < 40; number++) {
    site.write(
      `content/acme/posts/p${number}.md`,
      `---\n${head}\nfields: { level: easy }\n---\n[b](./b.md) [c](./missing.md)\n`,
    )
  }
  const found = await site.diagnostics()
  return found.map(
    ({ file, line, column, code, severity }) => `${file}:${line}:${column} ${severity} ${code}`,
  )
}

const good = 'fields: { level: text }\nlinks: { broken: ignore, post: "/{slug}" }\n'

it.each([
  ['references: create\ndefaults:\n  category: Open Source\n', '5:13 error invalid-identifier'],
  ['references: make\ndefaults: { category: news }\n', '3:13 error invalid-field'],
  ['refrences: create\ndefaults: { category: news }\n', '3:1 error unknown-key'],
  ['references: create\ndefault: { category: news }\n', '4:1 error unknown-key'],
  ['references: create\ndefaults: { categry: news }\n', '4:11 error invalid-field'],
  ['references: create\ndefaults: news\n', '4:11 error invalid-field'],
  ['references: create\ndefaults: { category: [news] }\n', '4:23 error invalid-field'],
  ['references: create\ndefaults: { category: news }\nv1: closed\n', '5:5 error invalid-field'],
  ['references: create\ndefaults: { category: news }\nbaseUrl: x\n', '5:10 error invalid-field'],
  ['references: create\ndefaults: { category: news\n', '4:11 error yaml-syntax'],
  [
    'references: create\ndefaults: { category: news }\n<<<<<<< HEAD\n',
    '5:1 error conflict-markers',
  ],
])('one bad setting is one error: %j', async (settings, expected) => {
  expect(await problemsOf({ 'workspace.yml': `${good}${settings}` })).toEqual([
    `acme/workspace.yml:${expected}`,
  ])
})

it.each([
  ['links: { broken: warn }\n', '3:18 error invalid-field'],
  ['links: { brokn: ignore }\n', '3:8 error invalid-field'],
  ['link: { broken: ignore }\nfields: { level: text }\n', '3:1 error unknown-key'],
  ['links: { broken: ignore }\nfields: { level: texts }\n', '4:18 error invalid-field-definition'],
  ['links: { broken: ignore }\nfield: { level: text }\n', '4:1 error unknown-key'],
  ['links: { broken: ignore }\nfields: [level]\n', '4:9 error invalid-field'],
])('one bad setting of links or fields is one error: %j', async (settings, expected) => {
  const fields = settings.includes('field') ? '' : 'fields: { level: text }\n'
  const text = `references: create\ndefaults: { category: news }\n${settings}${fields}`
  expect(await problemsOf({ 'workspace.yml': text })).toEqual([`acme/workspace.yml:${expected}`])
})

it('an unknown default category is one error, where it is set', async () => {
  expect(
    await problemsOf({
      'workspace.yml': `${good}defaults: { category: nwes }\n`,
      'tags.yml': '[a, b]\n',
      'authors.yml': '- { slug: Ada, name: Ada }\n',
    }),
  ).toEqual(['acme/workspace.yml:3:23 error unknown-category'])
})

it.each([
  ['- { name: Ada }\n', '1:3 error missing-field'],
  ['- { name: Grace, image: "javascript:x", slug: Ada }\n', '1:25 error invalid-field'],
  ['- { role: x }\n', '1:3 error missing-field'],
  ['- { slug: Ada, name: Ada\n', '1:3 error yaml-syntax'],
])('one bad author of all posts is one error: %j', async (authors, expected) => {
  const found = await problemsOf({
    'workspace.yml': `${good}defaults: { category: news }\n`,
    'tags.yml': '[a, b]\n',
    'authors.yml': authors,
  })
  expect(found).toEqual([`acme/authors.yml:${expected}`])
})
