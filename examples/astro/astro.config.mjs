import { defineConfig } from 'astro/config'
import { quarry } from 'quarry/vite'

// The plugin serves images of posts and writes types; the collections are in src/content.config.ts.
export default defineConfig({ vite: { plugins: [quarry()] } })
