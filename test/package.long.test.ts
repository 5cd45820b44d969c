// The package as npm packs it: few files, and no import of what is not installed with it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function packedFiles(): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  const [{ files }] = JSON.parse(output)
  return files.map(({ path }: { path: string }) => path)
}

describe('the package', () => {
  const paths = packedFiles()

  it('has the compiled bundles, their notices and what new projects are made of', () => {
    for (const path of [
      'LICENSE',
      'THIRD-PARTY-NOTICES',
      'examples/templates/shared/package.json',
      '.lib/cli/main.js',
      '.lib/library/index.d.ts',
      '.lib/render-worker.js',
    ]) {
      expect(paths).toContain(path)
    }
    const sources = paths.filter((path) => /(?<!\.d)\.ts$|\.tsbuildinfo$/.test(path))
    expect(sources).toEqual(['examples/templates/shared/quarry.config.ts'])
    // One file for each module would be a thousand.
    expect(paths.length).toBeLessThan(240)
    expect(paths.filter((path) => path.startsWith('docs/') && !path.endsWith('.md'))).toEqual([])
  })

  it('imports no package that is not installed with it', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: paths.filter((path) => /^\.lib\/.*\.m?js$/.test(path)),
      outdir: 'unwritten',
      write: false,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      metafile: true,
      logLevel: 'silent',
    })
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    )
    const isThere = (path: string) =>
      /^(node:|#|\.)/.test(path) || builtinModules.includes(path) || path in dependencies
    expect(imported).toContain('tinypool')
    expect([...new Set(imported)].filter((path) => !isThere(path))).toEqual([])
  })
})
