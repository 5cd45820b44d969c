// The suite, on a real nginx in front of `quarry serve`.
import { describe } from 'vitest'
import { provideNginx } from '../support/nginx.ts'
import { defineFiles } from './files.ts'
import { openNginx } from './nginx.ts'
import { defineConformance } from './suite.ts'

describe.skipIf(provideNginx() !== null)('with nginx', () => {
  defineConformance('nginx', openNginx, {
    ' - malformed':
      'nginx refuses a malformed target before it reads the headers: a 400, with any key and with none',
  })
  defineFiles('nginx', openNginx, { isUnaware: true })
})
