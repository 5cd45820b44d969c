// The suite, on what a build for Netlify wrote, bundled and started by Netlify's own packages.
import { openNetlify } from './functions.ts'
import { defineConformance } from './suite.ts'

const itsOwn = 'Netlify gives files by itself'

defineConformance('netlify', openNetlify, {
  'is confirmed to those who have it: an image': itsOwn,
  'is not written: an image': itsOwn,
})
