// A response over 1 MiB whose bytes turn out to be damaged after its head was sent, on hosts that stream it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openBun, openCloudflare, openDeno } from '../conformance/programs.ts'

/** A workspace whose list is longer than a response that is made at once. */
function addLongPosts(content: string): void {
  mkdirSync(join(content, 'long/posts'), { recursive: true })
  writeFileSync(join(content, 'long/workspace.yml'), 'name: Long\nreferences: create\n')
  for (const name of ['one', 'two', 'three']) {
    const head = `---\ntitle: ${name}\ncategory: news\npublishedAt: 2026-01-02\n---\n`
    writeFileSync(join(content, `long/posts/${name}.md`), head + `${name} `.repeat(120_000))
  }
}

it.each([
  ['workerd', openCloudflare],
  ['Deno', openDeno],
  ['Bun', openBun],
] as const)(
  'never ends as a whole one does: %s',
  async (_, open) => {
    const host = await open(addLongPosts)
    onTestFinished(() => host.close?.())
    const { folder, restart } = host.files ?? expect.unreachable()
    const target = `${host.url}/v1/long/posts?limit=all`
    const whole = await (await fetch(target, { headers: { 'accept-encoding': 'identity' } })).text()
    expect(whole.length).toBeGreaterThan(1024 * 1024)
    for (const name of readdirSync(join(folder, 'data'))) {
      if (!name.startsWith('part-')) continue
      const path = join(folder, 'data', name)
      const bytes = readFileSync(path)
      // Within the HTML of a post, which comes before the Markdown and is about as long.
      const at = Math.floor(bytes.length / 4)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(path, bytes)
    }
    await restart()
    // Bun resets the connection before the head, the others after it.
    const broken = fetch(target, { headers: { 'accept-encoding': 'identity' } })
    await expect(broken.then((response) => response.text())).rejects.toThrow()
  },
  120_000,
)
