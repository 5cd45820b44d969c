// The suite, on a real nginx in front of `quarry serve`.
import { describe } from 'vitest'
import { provideNginx } from '../support/nginx.ts'
import { openNginx } from './nginx.ts'
import { defineConformance } from './suite.ts'

describe.skipIf(provideNginx() !== null)('with nginx', () => {
  defineConformance('nginx', openNginx)
})
