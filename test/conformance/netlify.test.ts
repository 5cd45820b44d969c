// The suite, on what a build for Netlify wrote, bundled and started by Netlify's own packages.
import { openNetlify } from './functions.ts'
import { defineConformance } from './suite.ts'

defineConformance('netlify', openNetlify)
