// A post that is withdrawn, behind a real nginx: the build is the whole deployment, without a reload.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openNginx } from '../conformance/nginx.ts'
import { call } from '../support/command-call.ts'
import { provideNginx } from '../support/nginx.ts'

/** Workspaces in which files and the server answer lists. */
const workspaces = ['plain', 'planned'] as const
const requests = ['posts', 'posts?query=quagga', 'posts?tags=rare', 'posts?page=1&limit=5']

function write(content: string, workspace: string, name: string, publishedAt: string): void {
  const folder = join(content, workspace)
  mkdirSync(join(folder, 'posts'), { recursive: true })
  writeFileSync(join(folder, 'workspace.yml'), 'references: create\n')
  const text = `---\ntitle: ${name}\ncategory: news\ntags: [rare]\npublishedAt: ${publishedAt}\n---\nA quagga.\n`
  writeFileSync(join(folder, 'posts', `${name}.md`), text)
}

describe.skipIf(provideNginx() !== null)('a withdrawn post behind nginx', () => {
  let host: Awaited<ReturnType<typeof openNginx>>
  beforeAll(async () => {
    host = await openNginx((content) => {
      for (const workspace of workspaces) {
        write(content, workspace, 'stays', '2025-01-01')
        write(content, workspace, 'withdrawn', '2025-02-01')
      }
      write(content, 'planned', 'later', '2199-01-01')
    })
  })
  afterAll(async () => host?.close?.())

  const text = async (target: string) => (await host.request(target)).text()

  it('leaves every response with the build that withdraws it', async () => {
    const targets = workspaces.flatMap((workspace) =>
      requests.map((request) => `/v1/${workspace}/${request}`),
    )
    const status = await text('/status')
    // The second response is the one that a cache would give.
    for (const target of [...targets, ...targets])
      expect(await text(target), target).toContain('"withdrawn"')
    for (const workspace of workspaces)
      rmSync(join(host.folder, 'content', workspace, 'posts/withdrawn.md'))
    expect((await call(host.folder, ['build'], { QUARRY_WORKERS: '1' })).exitCode).toBe(0)
    await vi.waitFor(async () => expect(await text('/status')).not.toBe(status), 20_000)
    for (const target of targets) {
      const response = await host.request(target)
      expect(response.status, target).toBe(200)
      const body = await response.text()
      expect(body, target).toContain('"stays"')
      expect(body, target).not.toContain('"withdrawn"')
    }
    for (const workspace of workspaces)
      expect((await host.request(`/v1/${workspace}/posts/withdrawn`)).status).toBe(404)
  })
})
