import { defineConfig } from 'quarry'

export default defineConfig({ content: '../../content', platform: 'cloudflare' })
