// The routes of a build for Vercel, read by Vercel's own libraries. `test/blackbox` asks its function.
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { listFiles } from '../../src/build/output.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { targetOfRequest } from '../support/served-site.ts'
import { deployExample } from './hosts.ts'

const require = createRequire(join(provideHostPackages('vercel'), 'x.js'))
const none = { beforeMiddleware: [], afterFiles: [], dynamicRoutes: [], onMatch: [], fallback: [] }

it('lead to the file of each canonical request, and of no other, within the schema and the number of routes', async () => {
  const folder = await deployExample('vercel')
  const output = join(folder, '.vercel/output')
  const { routes } = JSON.parse(readFileSync(join(output, 'config.json'), 'utf8'))
  const files = listFiles(join(output, 'static')).filter((path) => path.startsWith('v1/'))
  rmSync(folder, { recursive: true })
  const { routesSchema, normalizeRoutes } = require('@vercel/routing-utils')
  const validate = new Ajv({ strict: false }).compile(routesSchema)
  expect([validate(routes), validate.errors]).toEqual([true, null])
  expect(normalizeRoutes(routes).error).toBeNull()
  expect(routes.length).toBeLessThan(2048)

  const { resolveRoutes } = require('@next/routing')
  const encode = (path: string) => `/${path.split('/').map(encodeURIComponent).join('/')}`
  const beforeFiles = routes
    .filter(({ check, has }: { check?: boolean; has?: unknown }) => check === true || has)
    .map(({ src: sourceRegex, dest: destination, has, missing }: Record<string, unknown>) => ({
      ...{ sourceRegex, destination, has, missing },
    }))
  const resolve = async (target: string): Promise<string | undefined> => {
    const { resolvedPathname } = await resolveRoutes({
      url: new URL(`https://host.invalid${target}`),
      headers: new Headers(),
      invokeMiddleware: () => ({}),
      pathnames: [...files.map(encode), '/index'],
      routes: { ...none, caseSensitive: true, beforeFiles },
    })
    return resolvedPathname
  }
  for (const file of files) {
    const request = requestOfFile(`public/${file}`)
    const target = request === null ? '' : targetOfRequest(request)
    const and = target.includes('?') ? '&' : '?'
    for (const query of ['', `${and}utm_source=x`, `${and}PAGE=2&unknown=1`])
      expect(await resolve(`${target}${query}`)).toBe(encode(file))
  }
  // A route of a parameter leads to the function, and so does the one behind these: it has the path of a file.
  const others = `posts?page=0 posts?page=02 posts?limit=7 posts?limit=all&page=2 posts?order=ASC
    posts?tags=alpha posts?query=body posts?strict=true&unknown=1 tags/listed?limit=3
    posts/note-1?include=posts posts/nobody posts/_all posts/_page/2 posts%2Fnote-1
    posts/..%2fposts%2fnote-1 posts/ posts//note-1 Posts posts.json nothing`.split(/\s+/)
  for (const path of others)
    expect([undefined, '/index'], path).toContain(await resolve(`/v1/notes/${path}`))
}, 120_000)
