import { defineConfig } from 'quarry'

// The sample content of this repository. In a project of your own, leave it out: `content` is the default.
export default defineConfig({
  content: '../../content',
  media: { widths: [640, 1280], preview: true },
})
