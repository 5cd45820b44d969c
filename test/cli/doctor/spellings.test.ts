import { describe, expect, it } from 'vitest'
import { fileTargets, routeTargets } from '../../../src/cli/doctor/spellings.ts'

describe('the targets of a private file', () => {
  const targets = fileTargets('private/v2/acme/posts/日本.json')

  it.each([
    ['as it lies there', '/private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['under the root of a host that shows private', '/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    [
      'under a folder that was uploaded whole',
      '/dist/private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json',
    ],
    ['with an encoded folder', '/%70%72%69%76%61%74%65/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['encoded twice', '/%2570%2572%2569%2576%2561%2574%2565/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['with an encoded slash', '/private%2fv2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['with two slashes', '//private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['with a backslash', '/private\\v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['below what is open', '/v1/../private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['in capitals', '/PRIVATE/v2/acme/posts/%E6%97%A5%E6%9C%AC.json'],
    ['with a slash at its end', '/private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json/'],
    ['with a NUL', '/private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json%00'],
    ['with a parameter', '/private/v2/acme/posts/%E6%97%A5%E6%9C%AC.json;a=b'],
  ])('hold it %s', (_, target) => {
    expect(targets).toContain(target)
  })

  it('are all different, and none is the root', () => {
    expect(new Set(targets).size).toBe(targets.length)
    expect(fileTargets('manifest.json')).not.toContain('/')
  })
})

it('keeps the query of a route', () => {
  expect(routeTargets('/v2/posts?page=2')).toContain('/v1/../v2/posts?page=2')
})
