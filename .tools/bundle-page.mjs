// Makes the page of the API: styles and script of `src/explorer/browser/` in one HTML file that loads nothing else.
// Part of `npm run compile`; the same sources give the same bytes on every machine.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { recordPackages } from './notices.mjs'

const sources = fileURLToPath(new URL('../src/explorer/browser/', import.meta.url))
const out = fileURLToPath(new URL('../.lib/explorer/page.html', import.meta.url))

const style = await bundled('page.css')
const script = (await bundled('main.ts')).replaceAll('</script', '<\\/script')

// Nothing but these two runs, nothing but this origin is asked, and no text ever becomes HTML.
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const html = readFileSync(join(sources, 'page.html'), 'utf8')
  .replace('%POLICY%', () => policy)
  .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
  .replace(
    '<script type="module" src="main.ts"></script>',
    () => `<script type="module">${script}</script>`,
  )

mkdirSync(dirname(out), { recursive: true })
// A reader finds the whole page at any moment.
writeFileSync(`${out}.${process.pid}`, html)
renameSync(`${out}.${process.pid}`, out)

/** A file of `src/explorer/browser/` with all that it imports, as small as it gets. */
async function bundled(name) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(sources, name)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    metafile: true,
  })
  recordPackages(name, metafile)
  return outputFiles[0].text.trim()
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
