import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../..')

/** Runs a command of the shell; what it prints on stderr is shown when it fails. */
function shell(command: string, folder: string): string {
  return execFileSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false', CI: 'true' },
  })
}

describe('somebody who installs the packed package', () => {
  let folder: string
  let project: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-install-'))
    shell(`npm pack --ignore-scripts --pack-destination '${folder}'`, root)
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    shell('npm install --prefer-offline ./quarry-*.tgz', folder)
    shell('npx quarry init my-site', folder)
    // Elsewhere, so that nothing is found but what the project brings itself.
    project = mkdtempSync(join(tmpdir(), 'quarry-project-'))
    cpSync(join(folder, 'my-site'), project, { recursive: true })
    rmSync(folder, { recursive: true })
    shell('npm install --prefer-offline', project)
  }, 240_000)

  afterAll(() => {
    for (const made of [folder, project]) rmSync(made, { recursive: true, force: true })
  })

  it('gets its answers from npm run dev, as the README asks for them', async () => {
    const server = spawn('npm', ['run', 'dev'], {
      cwd: project,
      env: { ...process.env, QUARRY_PORT: '0' },
      detached: true,
    })
    try {
      const url = await addressOf(server)
      const readme = readFileSync(join(project, 'README.md'), 'utf8')
      const requests = [...readme.matchAll(/^curl "http:\/\/127\.0\.0\.1:4321(.+)"$/gm)]
      expect(requests).toHaveLength(3)
      for (const [, target = ''] of requests) {
        const response = await fetch(`${url}${target}`)
        expect(response.status, target).toBe(200)
        const body = await response.json()
        expect(body.posts?.length ?? body.post.slug.length, target).toBeGreaterThan(0)
      }
    } finally {
      process.kill(-(server.pid ?? Number.NaN), 'SIGTERM')
    }
  })

  it('can do what the workflow does', () => {
    const workflow = readFileSync(join(project, '.github/workflows/content.yml'), 'utf8')
    const commands: readonly string[] = parse(workflow).jobs.build.steps.flatMap(
      ({ run = [] }: { run?: string }) => run,
    )
    expect(commands).toHaveLength(3)
    // npm ci checks that the lock and the tarball fit; with --dry-run it leaves installed what is.
    const output = commands.map((command) =>
      shell(command === 'npm ci' ? 'npm ci --dry-run' : command, project),
    )
    expect(output.join('')).toContain('Built dist')
  })

  it.each(['npm run check', 'npm run build'])('can run %s', (command) => {
    expect(shell(command, project)).toMatch(/No problems in content|Built dist/)
  })

  it('has the types of a configuration', () => {
    const text = readFileSync(join(project, 'quarry.config.ts'), 'utf8')
    writeFileSync(join(project, 'wrong.config.ts'), text.replace("out: 'dist'", 'out: 7'))
    const flags = '--noEmit --strict --skipLibCheck --module nodenext --pretty false'
    const command = `'${root}/node_modules/.bin/tsc' ${flags} quarry.config.ts wrong.config.ts || true`
    expect(shell(command, project).trim().split('\n')).toEqual([
      expect.stringMatching(/^wrong\.config\.ts.*Type 'number' is not assignable to type 'string'/),
    ])
  })
})

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (text: Buffer) => {
        output += text
        const address = /Serving (http:[^\s,]+)/.exec(output)?.[1]
        if (address !== undefined) resolve(address)
      })
    }
    server.on('exit', (code) => reject(new Error(`ended with ${code}:\n${output}`)))
  })
}
