// Use from other origins: every answer may be read, and a preflight is answered whatever it is for.
import { describe, expect, it } from 'vitest'
import type { Asking } from './host.ts'

/** Defines the cases. */
export function defineCors(asking: () => Asking): void {
  describe('a preflight', () => {
    it.each(['/v1/acme/posts', '/v2/posts', '/v2/nothing', '/status', '/nothing'])(
      'of %s is answered without a key',
      async (path) => {
        const response = await asking().ask(path, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://example.com',
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'authorization',
          },
        })
        expect(response.status).toBe(204)
        expect(response.header('access-control-allow-methods')).toMatch(/\bGET\b/)
        expect(response.header('access-control-allow-headers')).toMatch(/\bauthorization\b/i)
        expect(Number(response.header('access-control-max-age'))).toBeGreaterThan(0)
      },
    )
  })

  describe('every answer', () => {
    it.each(['/v1/acme/posts', '/v1/acme/posts/nobody', '/v2/posts', '/status', '/v1/acme/posts/'])(
      'of %s shows its limits and its id, and never takes credentials',
      async (path) => {
        const response = await asking().ask(path, { headers: { origin: 'https://example.com' } })
        const exposed = response.header('access-control-expose-headers') ?? ''
        for (const name of [
          'RateLimit-Limit',
          'RateLimit-Remaining',
          'RateLimit-Reset',
          'Retry-After',
          'X-Request-Id',
        ]) {
          expect(exposed.toLowerCase()).toContain(name.toLowerCase())
        }
        expect(response.header('access-control-allow-origin')).toBe('*')
        expect(response.header('access-control-allow-credentials')).toBeNull()
      },
    )
  })
}
