// The suite, on Bun itself, with what a build for it wrote.
import { openBun } from './programs.ts'
import { defineConformance } from './suite.ts'

defineConformance('bun', openBun)
