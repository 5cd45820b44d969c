// Options that bundles share.
import { readFileSync } from 'node:fs'

/** Packages that are installed with quarry: native ones, and those that few projects load. */
export const installed = Object.keys(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).dependencies,
)

/** Small files whose stack traces still name every function: no identifier is renamed, and no line is long. */
export const legible = {
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'none',
}

/** Code at the start of a file: packages in CommonJS ask for Node's modules while they run. */
export const requireOfPackages =
  "import { createRequire as createPackageRequire } from 'node:module'\nconst require = createPackageRequire(import.meta.url)"

/** MCP is loaded from the file that functions load it from. */
export const agentsApart = {
  name: 'agents-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/mcp\/agents\.ts$/ }, () => ({
      path: '#functions/mcp.mjs',
      external: true,
    }))
  },
}
