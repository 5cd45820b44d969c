// The suite, on what a build for Vercel wrote.
import { openVercel } from './functions.ts'
import { defineConformance } from './suite.ts'

defineConformance('vercel', openVercel, {
  'is confirmed to those who have it: an image': 'Vercel gives files by itself',
})
