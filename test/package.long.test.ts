// The packages as npm packs them, installed into empty folders outside of the clone: the commands, importers and hosts,
// on the oldest and the newest version of Node, and what docs/getting-started.md asks for.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostNames } from '../src/config/names.ts'
import { commandsOf } from './support/documented-project.ts'
import { emptyFolder, writeBelow } from './support/empty-folder.ts'
import { nodeProgram } from './support/host-packages.ts'
import { installInto, packPackage } from './support/packed.ts'
import { startProgram } from './support/process.ts'

const versions = ['20', '26'] as const
const root = emptyFolder()
/** Has quarry, create-quarry and quarry-import. */
const plain = join(root, 'plain')
/** Has quarry and its optional packages. */
const full = join(root, 'full')
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const optional = Object.entries(manifest.peerDependencies).map(
  ([name, range]) => `${name}@${range}`,
)

beforeAll(() => {
  const tarballs = join(root, 'tarballs')
  const quarry = packPackage('quarry', tarballs)
  for (const folder of [plain, full]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
  }
  const others = ['create-quarry', 'quarry-import'] as const
  installInto(plain, [quarry, ...others.map((name) => packPackage(name, tarballs))])
  installInto(full, [quarry, ...optional, 'typescript@5.9.3', '@types/node@20'])
}, 600_000)

interface Run {
  readonly exitCode: number
  readonly output: string
}

/** Runs programs on one version of Node, as a project in a folder of its own would. */
class Project {
  readonly #node: string
  readonly folder: string

  constructor(version: (typeof versions)[number], name: string) {
    this.#node = nodeProgram(version)
    this.folder = join(plain, name)
  }

  get environment(): Record<string, string> {
    const PATH = `${dirname(this.#node)}${delimiter}${process.env['PATH'] ?? ''}`
    return { PATH, HOME: process.env['HOME'] ?? '', npm_config_prefer_offline: 'true' }
  }

  /** @param words of `node` */
  node(words: readonly string[], cwd = this.folder, more: Record<string, string> = {}) {
    const env = { ...this.environment, ...more }
    return new Promise<Run>((resolve) => {
      const child = execFile(this.#node, words, { cwd, env, timeout: 120_000 }, (error, out, err) =>
        resolve({ exitCode: Number(error?.code ?? 0), output: out + err }),
      )
      child.stdin?.end()
    })
  }

  quarry(words: readonly string[], cwd = this.folder, more: Record<string, string> = {}) {
    return this.node([mainIn(cwd), ...words], cwd, more)
  }

  /** Runs to exit code 0, with flags that this version of V8 has. @returns its output */
  async done(words: readonly string[], cwd = this.folder): Promise<string> {
    const { exitCode, output } = await this.quarry(words, cwd)
    expect(exitCode, `quarry ${words.join(' ')}\n${output}`).toBe(0)
    expect(output).not.toContain('unrecognized flag')
    return output
  }

  /** Starts `quarry serve`, and ends it after `use`. */
  async serving(
    words: readonly string[],
    use: (url: string) => Promise<void>,
    { cwd = this.folder, ...more }: { cwd?: string; [name: string]: string } = {},
  ): Promise<void> {
    const server = await startProgram(this.#node, [mainIn(cwd), 'serve', ...words, '--port', '0'], {
      cwd,
      environment: { ...this.environment, ...more },
      ready: /http:\/\/\S+/,
    })
    try {
      await use(/http:\/\/[\w.:]+/.exec(server.output())?.[0] ?? '')
    } finally {
      await server.stop()
    }
  }
}

function mainIn(cwd: string): string {
  return join(cwd.startsWith(full) ? full : plain, 'node_modules/quarry', manifest.bin.quarry)
}

/** Every entry of the package, loaded and used. */
const library = `
import { build, defineConfig, resolveSettings } from 'quarry'
for (const path of ${JSON.stringify(Object.keys(manifest.exports))})
  if (path !== '.' && path !== './package.json') {
    const names = Object.keys(await import('quarry' + path.slice(1)))
    if (names.length === 0) throw new Error(path + ' exports nothing')
  }
const { diagnostics } = await build(resolveSettings({ content: 'content', out: 'dist-library' }))
console.log(typeof defineConfig, diagnostics.length)
`

describe.each(versions)('an installed quarry on Node %s', (version) => {
  const project = new Project(version, `my-site-${version}`)
  it('--version, --help', async () => {
    expect((await project.node(['--version'], plain)).output).toContain(`v${version}.`)
    expect(await project.done(['--version'], plain)).toBe(`${manifest.version}\n`)
    expect(await project.done(['--help'], plain)).toContain('quarry dev')
  })

  it('init, and its tarball installs and builds', async () => {
    await project.done(['init', project.folder, '--yes'], plain)
    const options = { cwd: project.folder, env: project.environment, stdio: 'pipe' } as const
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], options)
    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'))
    expect(scripts.build).toBe('quarry build')
    expect(execFileSync('npm', ['run', 'build'], { ...options, encoding: 'utf8' })).toContain(
      'Built',
    )
    // All other rows run the package outside of the project.
    rmSync(join(project.folder, 'node_modules'), { recursive: true })
  })

  it('serve, doctor', async () => {
    const use = async (url: string) => {
      const [workspace] = readdirSync(join(project.folder, 'content'))
      const response = await fetch(`${url}/v1/${workspace}/posts?query=e&limit=3`)
      expect(response.status).toBe(200)
      expect((await fetch(`${url}/v1/${workspace}/posts/hello`)).status).toBe(200)
      await project.done(['doctor', '--probe', url, '--files', '5'])
    }
    await project.serving([], use, { QUARRY_RATE_LIMIT: 'off' })
  })

  it('names a missing package of mcp, Redis and import', async () => {
    const missing = async (words: string[], more: Record<string, string>, name: string) => {
      const { exitCode, output } = await project.quarry(words, project.folder, more)
      expect([exitCode, output]).toEqual([2, expect.stringContaining(`npm install ${name}@`)])
    }
    await missing(['mcp'], {}, '@modelcontextprotocol/sdk')
    await missing(['serve', '--port', '0'], { QUARRY_MCP: 'on' }, '@modelcontextprotocol/sdk')
    const redis = { QUARRY_REDIS_URL: 'redis://127.0.0.1:1', QUARRY_RATE_LIMIT: '100/10' }
    await missing(['serve', '--port', '0'], redis, 'ioredis')
    const { exitCode, output } = await project.quarry(['import', 'hugo', 'a'], full)
    expect([exitCode, output]).toEqual([2, expect.stringContaining('the package quarry-import')])
  })

  it('mcp, and serve with MCP and Redis, where they are installed', async () => {
    const out = join(project.folder, 'dist')
    const { exitCode, output } = await project.quarry(['mcp', '--out', out], full)
    expect([exitCode, output]).toEqual([0, ''])
    const redis = { QUARRY_REDIS_URL: 'redis://127.0.0.1:1', QUARRY_RATE_LIMIT: '100/10' }
    const ask = async (url: string) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
      const json = 'application/json'
      const headers = { 'content-type': json, accept: `${json}, text/event-stream` }
      const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
      expect(await response.text()).toContain('list_posts')
    }
    await project.serving(['--out', out], ask, { cwd: full, ...redis, QUARRY_MCP: 'on' })
  })

  it('import jekyll, build', async () => {
    const post = '---\ntitle: Hello\ndate: 2024-01-02\n---\n\nText.\n'
    writeBelow(project.folder, 'jekyll/_config.yml', 'title: A\n')
    writeBelow(project.folder, 'jekyll/_posts/2024-01-02-hello.md', post)
    const place = ['--content', 'imported/content']
    const words = ['import', 'jekyll', 'jekyll', '--workspace', 'blog', ...place]
    expect(await project.done(words)).toContain('1 post')
    await project.done(['build', ...place, '--out', 'imported/dist'])
  })

  it.each(hostNames)('build --for %s', async (host) => {
    await project.done(['build', '--for', host])
    const folder = host === 'vercel' ? '.vercel/output' : `deploy/${host}`
    expect(readdirSync(join(project.folder, folder)).length).toBeGreaterThan(0)
  })

  it('import of every entry of the package', async () => {
    writeBelow(project.folder, 'library.mjs', library)
    const { exitCode, output } = await project.node(['library.mjs'])
    expect([exitCode, output]).toEqual([0, 'function 0\n'])
  })
})

it('has types that a strict project checks', () => {
  const entries = Object.keys(manifest.exports).filter((path) => path !== './package.json')
  const lines = entries.map(
    (path, at) => `import * as e${at} from 'quarry${path.slice(1)}'\nvoid e${at}\n`,
  )
  writeFileSync(join(full, 'types.mts'), lines.join(''))
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  execFileSync('npx', ['tsc', ...flags, '--types', 'node', 'types.mts'], { cwd: full })
})

it('has compiled files, notices and examples, and no sources', () => {
  const options = { recursive: true, encoding: 'utf8' } as const
  const paths = readdirSync(join(plain, 'node_modules/quarry'), options)
  const some = ['LICENSE', 'THIRD-PARTY-NOTICES', '.lib/cli/main.js', '.lib/index.d.ts']
  for (const path of [...some, 'examples/static/search.html']) expect(paths).toContain(path)
  const own = paths.filter((path) => !path.startsWith('examples'))
  const sources = own.filter((path) => /(?<!\.d)\.ts$|\.tsbuildinfo$|^test|^src/.test(path))
  expect(sources).toEqual([])
})

it('create-quarry creates a project as quarry init does, with its flags', () => {
  const words = ['--no-install', 'create-quarry', 'created', '--template', 'docs', '--yes']
  execFileSync('npx', words, { cwd: plain, stdio: 'pipe' })
  const { scripts } = JSON.parse(readFileSync(join(plain, 'created/package.json'), 'utf8'))
  expect(scripts.build).toBe('quarry build')
  const own = JSON.parse(readFileSync('packages/create-quarry/package.json', 'utf8'))
  expect([own.version, own.dependencies]).toEqual([
    ...[manifest.version, { quarry: manifest.version }],
  ])
})

describe('docs/getting-started.md', () => {
  const guide = readFileSync('docs/getting-started.md', 'utf8')
  // Elsewhere, so that nothing is found but what the project brings itself.
  const project = emptyFolder()

  const lines = (mark: string): readonly string[] => commandsOf(guide, mark).split('\n')
  const shell = (command: string, cwd = project) =>
    execFileSync('bash', ['-c', command], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, npm_config_prefer_offline: 'true', CI: 'true' },
    })

  it('makes a project whose npm run dev responds to all requests that it and its README name', async () => {
    const [install = '', init = ''] = lines('init')
    expect(install).toContain('../quarry/quarry-')
    shell(init, plain)
    cpSync(join(plain, 'my-site'), project, { recursive: true })
    expect(lines('run')).toEqual(['cd my-site', 'npm install', 'npm run dev'])
    shell('npm install')
    const environment = { ...process.env, QUARRY_PORT: '0' } as Record<string, string>
    const options = { cwd: project, environment, ready: /Serving http:\S+/ }
    const server = await startProgram('npm', ['run', 'dev'], options)
    const [, url = ''] = /Serving (http:[^\s,]+)/.exec(server.output()) ?? []
    const text = `${readFileSync(join(project, 'README.md'), 'utf8')}\n${lines('ask').join('\n')}`
    const requests = [...text.matchAll(/^curl "http:\/\/127\.0\.0\.1:4321(.+)"$/gm)]
    expect(requests).toHaveLength(8)
    for (const [, target = ''] of requests) {
      const response = await fetch(`${url}${target}`)
      expect([target, response.status]).toEqual([target, 200])
      expect(await response.text()).toMatch(/"slug":"./)
    }
    const [, post = ''] = /^```markdown\n([\s\S]*?)^```/m.exec(guide) ?? []
    const [file = ''] = /content\/my-site\/posts\/[\w-]+\.md/.exec(guide) ?? []
    writeFileSync(join(project, file), post)
    const status = async () => (await fetch(`${url}/v1/my-site/posts/a-post-of-my-own`)).status
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
    await server.stop()
  }, 240_000)

  it.each([
    ['npm run check', 'No problems in content'],
    ['npm run build', 'Built dist'],
    [lines('build')[1] ?? '', 'public/v1/my-site/posts/index.json'],
    [lines('build')[2] ?? '', 'source         index'],
    [lines('deploy')[0] ?? '', 'deploy/static'],
  ])('has a project that can run %s', (command, output) => {
    expect(shell(command)).toContain(output)
  })
})
