import { defineConfig } from 'astro/config'
import { images } from 'quarry/astro'

export default defineConfig({ integrations: [images()] })
