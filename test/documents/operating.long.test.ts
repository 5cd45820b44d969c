// The commands of docs/operating.md, run in a project as they stand there.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { serve } from '../support/command-line.ts'
import {
  commandsOf,
  documentedProject,
  readDocument,
  shell,
  shellOptions,
} from '../support/documented-project.ts'
import type { TemporarySite } from '../support/temporary-site.ts'

const text = readDocument('operating.md')

/** A project with two commits: a post, and one more. */
function project(): TemporarySite {
  const site = documentedProject()
  const commit = 'git add -A && git -c user.name=t -c user.email=t@example.com commit -qm'
  shell(site, `git init -q && ${commit} one`)
  site.write('content/handbook/posts/2026-02-02-two.md', '---\ntitle: Two\ncategory: news\n---\n')
  shell(site, `${commit} two`)
  return site
}

/** What a block prints, on stdout and on stderr. */
async function runBlock(site: TemporarySite, name: string, change = (block: string) => block) {
  const block = change(commandsOf(text, name))
  return promisify(execFile)('bash', ['-euc', block], shellOptions(site))
}

describe('docs/operating.md', () => {
  it('looks at a server and at its log', async () => {
    const site = project()
    shell(site, 'npx quarry build')
    const { url, close } = await serve(site.folder)
    const here = (block: string) => block.replace('http://127.0.0.1:4321', url)
    expect((await runBlock(site, 'status', here)).stdout).toMatch(/^{"status":"ok","build":"\w+"}/)
    await fetch(`${url}/v1/handbook/posts?query=one`)
    await fetch(`${url}/v1/handbook/nothing`)
    writeFileSync(join(site.folder, 'access.log'), (await close()).stderr)
    const { stdout } = await runBlock(site, 'log')
    expect(stdout).toMatch(/^ +2 200\n +1 404\n/)
    expect(stdout).toMatch(/^[\d.]+\t\/v1\/handbook\/nothing$/m)
    expect(stdout).toMatch(/^ +1 \/v1\/handbook\/posts\?query=one$/m)
  })

  it('adds and revokes keys with the build that is there', async () => {
    const site = project()
    shell(site, 'npx quarry build && npx quarry keys create --workspace handbook --name "Web site"')
    const made = await runBlock(site, 'rotate')
    const key = made.stdout.trim()
    const [entry = ''] = /handbook:[0-9a-f]{64}/.exec(made.stderr) ?? []
    const status = async (environment: Readonly<Record<string, string>>) => {
      const { url } = await serve(site.folder, environment)
      return (await fetch(`${url}/v2/posts`, { headers: { authorization: `Bearer ${key}` } }))
        .status
    }
    expect(await status({})).toBe(401)
    expect(await status({ QUARRY_KEYS: entry })).toBe(200)
    expect(await status({ QUARRY_KEYS: `${entry} !${entry.split(':')[1]}` })).toBe(401)
    const revoked = await runBlock(site, 'revoke')
    expect(revoked.stdout).toMatch(/![0-9a-f]{64}/)
    expect(revoked.stdout).toMatch(/Web site +default .+revoked/)
    expect(revoked.stdout).toMatch(/Web site, 2027 +default .+active/)
  })

  it('goes back to an older build, byte for byte', async () => {
    const site = project()
    shell(site, 'npx quarry build --out old --now 2026-06-01')
    shell(site, 'git checkout -q HEAD~1 && npx quarry build --out first --now 2026-06-01')
    shell(site, 'git checkout -q -')
    shell(site, 'npx quarry build')
    await runBlock(site, 'rollback')
    const hash = (out: string) =>
      JSON.parse(readFileSync(join(site.folder, out, 'manifest.json'), 'utf8')).contentHash
    expect(hash('dist')).toBe(hash('first'))
    expect(hash('dist')).not.toBe(hash('old'))
    expect(existsSync(join(site.folder, 'content/handbook/posts/2026-02-02-two.md'))).toBe(false)
    shell(site, 'git restore content && npx quarry build')
    expect(hash('dist')).toBe(hash('old'))
  })

  it('looks ahead and upgrades', async () => {
    const site = project()
    shell(site, 'npx quarry build')
    const ahead = await runBlock(site, 'scheduled')
    expect(ahead.stdout).toContain('200 OK')
    expect(ahead.stdout).toMatch(/^2030-01-01T00:00:00.000Z$/m)
    expect((await runBlock(site, 'upgrade')).stdout).toMatch(/No byte changed\.\n$/)
  })
})
