import { quarry } from 'quarry/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [quarry()] })
