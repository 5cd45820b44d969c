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
const previewStyle = await bundled('preview.css')
const script = (await bundled('main.ts')).replaceAll('</script', '<\\/script')

// Only these run, and only this origin is requested. One policy turns text into HTML: for a frame without scripts.
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)} ${hashOf(previewStyle)}`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types quarry-preview',
].join('; ')

const html = readFileSync(join(sources, 'page.html'), 'utf8')
  .replace('%POLICY%', () => policy)
  .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
  // The page's text for the frame of previews: without effect on the page itself.
  .replace(
    '<link rel="stylesheet" href="preview.css">',
    () => `<style id="preview-style" media="not all">${previewStyle}</style>`,
  )
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
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    metafile: true,
  })
  recordPackages(name, metafile)
  return outputFiles[0].text.trim()
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
