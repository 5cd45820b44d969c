import { expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'

/** The problems of posts that depend on every setting, in a workspace with these files. */
async function problemsOf(files: Readonly<Record<string, string>>) {
  const site = temporarySite().write(
    'content/acme/posts/b.md',
    '---\ntitle: B\ndate: 2026-01-02\n---\n',
  )
  for (const [path, text] of Object.entries(files)) site.write(`content/acme/${path}`, text)
  const head = 'title: T\ndate: 2026-01-02\ntags: [a, b]\nauthors: [Ada]\nfields: { level: easy }'
  for (const name of ['p1', 'p2']) {
    site.write(
      `content/acme/posts/${name}.md`,
      `---\n${head}\n---\n[b](./b.md) [c](./missing.md)\n`,
    )
  }
  const found = await site.diagnostics()
  return found.map(
    ({ file, line, column, code, severity }) => `${file}:${line}:${column} ${severity} ${code}`,
  )
}

const references = 'references: create\n'
const defaults = 'defaults: { category: news }\n'
const fields = 'fields: { level: text }\n'
const links = 'links: { broken: ignore, post: "/{slug}" }\n'

it.each([
  [`${fields}${links}${references}defaults: { category: Open Source }\n`, '4:23 error invalid-identifier'], // biome-ignore format: one row
  [`${fields}${links}${defaults}references: make\n`, '4:13 error invalid-field'],
  [`${fields}${links}${defaults}refrences: create\n`, '4:1 error unknown-key'],
  [`${fields}${links}${references}defaults: { categry: news }\n`, '4:11 error invalid-field'],
  [`${fields}${links}${references}${defaults}v1: closed\n`, '5:5 error invalid-field'],
  [`${fields}${links}${references}defaults: { category: news\n`, '4:11 error yaml-syntax'],
  [`${fields}${references}${defaults}links: { broken: warn }\n`, '4:18 error invalid-field'],
  [`${links}${references}${defaults}fields: { level: texts }\n`, '4:18 error invalid-field-definition'], // biome-ignore format: one row
])('one bad setting is one error: %j', async (settings, expected) => {
  expect(await problemsOf({ 'workspace.yml': settings })).toEqual([
    `acme/workspace.yml:${expected}`,
  ])
})
