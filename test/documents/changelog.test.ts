// CHANGELOG.md: what goes in and what comes out, as it is. UPDATE=1 writes the answers.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { start } from '../support/command-line.ts'
import { temporarySite } from '../support/temporary-site.ts'

const file = join(import.meta.dirname, '../../CHANGELOG.md')
const text = readFileSync(file, 'utf8')

it('CHANGELOG.md shows answers as they are', async () => {
  const [, post = ''] = /<!-- content -->\n```markdown\n([\s\S]*?)^```/m.exec(text) ?? []
  const site = temporarySite().write('content/acme/posts/2026-03-04-hello.md', post)
  await site.build()
  const server = start(site.folder, ['serve', '--port', '0'])
  onTestFinished(() => server.stop('SIGTERM'))
  const [, url = ''] = await server.waitFor(/at (http:\S+)/)
  const example =
    /(<!-- request -->\n```sh\ncurl "?http:\/\/127\.0\.0\.1:4321([^"\n]+)"?\n```\n\n<!-- answer -->\n)```json\n([\s\S]*?)```/g
  const shown = [...text.matchAll(example)]
  expect(shown.map(([, , target = '']) => target.split('?')[0])).toEqual([
    '/v1/acme/posts/hello',
    '/v1/acme/posts',
    '/v2/posts',
  ])
  let made = text
  for (const [whole, head, target, response = ''] of shown) {
    const body = `${await (await fetch(`${url}${target}`)).text()}\n`
    if (process.env['UPDATE'] === '1')
      made = made.replace(whole, () => `${head}\`\`\`json\n${folded(body)}\`\`\``)
    else expect(response.replace(/\n */g, '')).toBe(body.trim())
  }
  if (made !== text) writeFileSync(file, made)
})

/** An answer is one line; here it is broken between its keys, where that fits on the page. */
function folded(body: string): string {
  return body.replace(/,(?="(?:title|publishedAt|category|pagination)":)/g, ',\n ')
}
