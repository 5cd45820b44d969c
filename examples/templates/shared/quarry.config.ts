import { defineConfig } from 'quarry'

// Everything may be left out; an editor shows what there is and what it means.
export default defineConfig({
  content: 'content',
  out: 'dist',
  precompute: { pageSizes: [10] },
})
