import { defineConfig } from 'quarry'

export default defineConfig({ content: '../../content' })
