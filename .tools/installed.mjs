// How bundles name what is not in them.
import { readFileSync } from 'node:fs'

/** Packages that are installed with quarry: native ones, and those that few projects load. */
export const installed = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)

/** Code at the start of a bundle: packages in CommonJS ask for Node's modules while they run. */
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
