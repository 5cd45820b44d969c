// Real hosts that read images beside the function's files, asked for those files by every path near an image's.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pictureBytes, picturePath } from '../conformance/picture.ts'
import { type ListeningHost, openBun, openCloudflare, openDeno } from '../conformance/programs.ts'

const timeout = 120_000

/** What leads from a folder of images to another file, if somebody joins paths without care. */
const prefixes: readonly string[] = [
  ...['/', '/media/', '/media/beta/', '/media/../', '/media/beta/../../', '/media//'],
  ...['/media/%2e%2e/', '/media/..%2f', '/media/beta/..%2f..%2f', '/media/beta/%2e%2e/%2e%2e/'],
  ...['/media/..%5c', '/media/%252e%252e%252f', '/media/beta%00/', '/assets/', '/MEDIA/../'],
]

/** Every path that is near an image's and could lead to a file of a deployment. */
function pathsTo(file: string): readonly string[] {
  // Assets, images and the function's files lie in folders of their own.
  const names = new Set([file, file.replace(/^(?:assets|function|media)\//, '')])
  return [...names].flatMap((name) =>
    prefixes.map((prefix) => {
      const slash = prefix.includes('%2f') ? '%2f' : '/'
      return `${prefix}${name.replaceAll('/', slash)}`
    }),
  )
}

/** @returns how many paths were asked for */
async function expectImagesAlone({ url, folder }: ListeningHost, within: string): Promise<number> {
  const deployment = join(folder, within)
  const list = JSON.parse(readFileSync(join(deployment, 'deployment.json'), 'utf8'))
  expect((await askRaw(url, picturePath)).body.equals(pictureBytes)).toBe(true)
  const files = [...Object.keys(list.files), 'deployment.json']
  const others = files.filter((file) => !`/${file}`.endsWith(picturePath))
  let asked = 0
  for (const file of others) {
    const bytes = readFileSync(join(deployment, file))
    for (const path of pathsTo(file)) {
      const { status, body } = await askRaw(url, path)
      asked += 1
      expect([308, 400, 401, 404], path).toContain(status)
      expect(body.length > 0 && bytes.equals(body), path).toBe(false)
    }
  }
  return asked
}

describe('images alone', () => {
  it.each([
    ['workerd', 'deploy/cloudflare', openCloudflare],
    ['Deno', 'deploy/deno', openDeno],
    ['Bun', 'deploy/bun', openBun],
  ])(
    'are given by %s, of all files that are there',
    async (_, folder, open) => {
      const host = await open()
      const asked = await expectImagesAlone(host, folder).finally(() => host.close?.())
      expect(asked).toBeGreaterThan(prefixes.length * 5)
    },
    timeout,
  )
})

/** As it is typed: `fetch` takes dots out of paths. */
function askRaw(url: string, path: string): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path }, async (response) => {
      const fragments: Buffer[] = []
      for await (const fragment of response) fragments.push(fragment)
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(fragments) })
    })
      .on('error', reject)
      .end()
  })
}
