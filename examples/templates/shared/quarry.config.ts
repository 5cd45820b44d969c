import { defineConfig } from 'quarry'

// All settings are optional; your editor lists them with their meaning.
export default defineConfig({
  content: 'content',
  out: 'dist',
  precompute: { pageSizes: [10] },
})
