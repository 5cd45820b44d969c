// The suite, on workerd and the asset server of Cloudflare, with what a build for it wrote.
import { openCloudflare } from './programs.ts'
import { defineConformance } from './suite.ts'

defineConformance('cloudflare', openCloudflare)
