import { defineConfig } from 'astro/config'
import { quarry } from 'quarry/vite'

// The plugin serves images of posts and writes types; the collections are in src/content.config.ts.
// `external` is for a linked quarry, as `file:../..` here: Vite would run its source.
export default defineConfig({
  vite: { plugins: [quarry()], ssr: { external: ['quarry'] } },
})
