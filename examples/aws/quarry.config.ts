import { defineConfig } from 'quarry'

export default defineConfig({ platform: 'aws' })
