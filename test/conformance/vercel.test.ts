// The suite, on what a build for Vercel wrote.
import { openVercel } from './functions.ts'
import { defineConformance } from './suite.ts'

defineConformance('vercel', openVercel)
