// A project that the documentation assumes: the workspace `handbook`, and `npx quarry`.
// Commands of a document run in it unchanged. Its `npx` starts in no time; test/package.long.test.ts has the real one.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporarySite, temporarySite } from './temporary-site.ts'

const root = join(import.meta.dirname, '../..')

/** Returns a project with a published post and a scheduled one. */
export function documentedProject(): TemporarySite {
  const site = temporarySite()
    .remove('content/acme')
    .write('content/handbook/categories/news.md', '---\nname: News\n---\n')
    .write('content/handbook/posts/2026-01-01-one.md', '---\ntitle: One\ncategory: news\n---\n')
    .write('content/handbook/posts/2030-01-01-later.md', '---\ntitle: Later\ncategory: news\n---\n')
    .write('.gitignore', 'node_modules\ndist\nnext\n')
  const packages = join(site.folder, 'node_modules')
  mkdirSync(packages)
  symlinkSync(root, join(packages, 'quarry'))
  const programs = {
    quarry: `'${process.execPath}' '${root}/.lib/cli/main.js' "$@"`,
    npx: `'${packages}/.bin/'"$@"`,
  }
  for (const [name, command] of Object.entries(programs)) {
    site.write(`node_modules/.bin/${name}`, `#!/bin/sh\nexec ${command}\n`)
    chmodSync(join(packages, '.bin', name), 0o755)
  }
  return site
}

/** Runs a command and returns its stdout. Throws if it fails. */
export function shell(site: TemporarySite, command: string): string {
  const options = { ...shellOptions(site), encoding: 'utf8', stdio: 'pipe' } as const
  return execFileSync('bash', ['-euo', 'pipefail', '-c', command], options)
}

/** Returns the folder and the environment of a command. */
export function shellOptions({ folder }: TemporarySite) {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`
  return { cwd: folder, env: { ...process.env, PATH } }
}

/** Writes a module into a site, and returns what TypeScript says of it; empty for no error. */
export function typeErrors(site: TemporarySite, file: string, code: string): string {
  const own = { strict: true, noEmit: true, skipLibCheck: true, types: [] }
  const compilerOptions = { module: 'nodenext', target: 'es2023', ...own }
  site
    .write('package.json', '{ "type": "module" }')
    .write(file, code)
    .write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [tsc, '-p', site.folder], { encoding: 'utf8' }).stdout
}

/** Returns the text of a document. @param path path below `docs` */
export function readDocument(path: string): string {
  return readFileSync(join(root, 'docs', path), 'utf8')
}

/** Returns the fenced blocks of a language in a document, in order, without their indentation. */
export function blocksOf(document: string, language: string): readonly string[] {
  const fenced = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)\\n *\`\`\`$`, 'gm')
  return [...document.matchAll(fenced)].map(([, indent = '', block = '']) =>
    block.replaceAll(RegExp(`^${indent}`, 'gm'), ''),
  )
}

/** Returns the commands of a document that follow a mark: `<!-- start -->`. @throws Error without them */
export function commandsOf(document: string, mark: string): string {
  const marked = new RegExp(`^<!-- ${mark} -->\\n\`\`\`sh\\n([\\s\\S]*?)\\n\`\`\`$`, 'm')
  const [, commands] = marked.exec(document) ?? []
  if (commands === undefined) throw new Error(`There are no commands ${mark}.`)
  return commands
}
