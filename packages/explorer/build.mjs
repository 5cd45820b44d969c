// Makes the page of the API: styles and script of `src/` in one HTML file that loads nothing else. The same sources give
// the same bytes on every machine.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const packageFile = new URL('../../package.json', import.meta.url)
const { version, homepage = '' } = JSON.parse(readFileSync(packageFile, 'utf8'))
const sources = fileURLToPath(new URL('src', import.meta.url))

/** Returns the page. */
export async function pageHtml() {
  const [style, previewStyle, main] = await Promise.all(
    ['page.css', 'preview.css', 'main.ts'].map((name) => bundle(name)),
  )
  const script = main.text.replaceAll('</script', '<\\/script')
  const policy = policyOf(script, [style.text, previewStyle.text])
  return (
    readFileSync(join(sources, 'page.html'), 'utf8')
      .replace('%POLICY%', () => policy)
      .replace('%VERSION%', version)
      .replace('%HOME%', () => homepage)
      .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style.text}</style>`)
      // The page's text for the frame of previews: without effect on the page itself.
      .replace(
        '<link rel="stylesheet" href="preview.css">',
        () => `<style id="preview-style" media="not all">${previewStyle.text}</style>`,
      )
      .replace(
        '<script type="module" src="main.ts"></script>',
        () => `<script type="module">${script}</script>`,
      )
  )
}

/** Only these run, and only this origin is requested. One policy turns text into HTML: for a frame without scripts. */
function policyOf(script, styles) {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types quarry-preview',
  ].join('; ')
}

/** A file of the page with all that it imports, as small as it gets. */
async function bundle(name) {
  const { outputFiles } = await build({
    entryPoints: [join(sources, name)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  })
  return { text: outputFiles[0].text.trim() }
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
