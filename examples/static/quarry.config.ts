import { defineConfig } from 'quarry'

export default defineConfig({ content: '../../content', platform: 'static', browser: true })
