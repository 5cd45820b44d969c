import { describe, expect, it } from 'vitest'
import { temporarySite } from '../support/temporary-site.ts'
import { places } from './support.ts'

const head = '---\ntitle: T\ncategory: news\ndate: 2026-01-02\n---\n'
const conflict = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n'

async function problemsOf(file: string, text: string) {
  const found = await temporarySite()
    .write('content/acme/workspace.yml', 'references: create\n')
    .write(`content/acme/${file}`, text)
    .diagnostics()
  return places(found)
}

describe('a conflict that a merge left', () => {
  it.each([
    ['posts/a.md', `${head}Text\n\n${conflict.replaceAll('\n', '\r\n')}`, 8],
    ['posts/a.md', '---\ntitle: T\n<<<<<<< HEAD\ntags: [a]\n---\n=======\n>>>>>>> x\n', 3],
    ['posts/a.md', '---\ntitle: T\n>>>>>>> branch that remained\n---\nText\n', 3],
    ['posts/a.md', `${head}Text\n<<<<<<<\nAnother\n\n=======\n`, 7],
    ['posts/a.md', `${head}<pre>\nx\n</pre>\n${conflict}`, 9],
    ['posts/a.mdx', `${head}> \`\`\`\n> x\n> \`\`\`\n\n${conflict}`, 10],
    ['tags.yml', '- slug: ada\n  name: A\n=======\n', 3],
    ['workspace.yml', `name: A\n${conflict}`, 2],
  ])('is an error in %s: %j', async (file, text, line) => {
    expect(await problemsOf(file, text)).toEqual([`acme/${file}:${line}:1 conflict-markers`])
  })

  it.each([
    `\`\`\`diff\n${conflict}\`\`\`\n`,
    'A heading\n=======\n\nText\n',
    '    <<<<<<< HEAD\n    a\n    =======\n    b\n    >>>>>>> x\n',
    `<pre>\n${conflict}</pre>\n`,
    'A heading\n=======\n\nText\n\n<<<<<<< an arrow\n',
    '| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n||||||| \n||||||| x |\n',
  ])('is text in %j', async (body) => {
    expect(await problemsOf('posts/a.md', `${head}${body}`)).toEqual([])
  })
})
