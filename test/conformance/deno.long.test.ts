// The suite, on Deno itself, with what a build for it wrote.
import { openDeno } from './programs.ts'
import { defineConformance } from './suite.ts'

defineConformance('deno', openDeno)
