// The files of what a build for Vercel wrote, and its routes by Vercel's own libraries.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { requestOfFile } from '../../src/api/paths.ts'
import { listFiles } from '../../src/build/output.ts'
import { provideHostPackages } from '../support/host-packages.ts'
import { targetOfRequest } from '../support/served-site.ts'
import { deployExample } from './deployed.ts'
import { addOpenWorkspace, defineFiles, notCanonical } from './files.ts'
import { openVercel } from './vercel.ts'

// Its documents do not say which value of a repeated parameter counts.
defineFiles('Vercel', openVercel, { skipsTwice: true })

const require = createRequire(join(provideHostPackages('vercel'), 'x.js'))

/** A deployment: its routes, and its files of v1. */
async function deployed() {
  const { folder, remove } = await deployExample('vercel', addOpenWorkspace)
  const output = join(folder, '.vercel/output')
  const { routes } = JSON.parse(readFileSync(join(output, 'config.json'), 'utf8'))
  const files = listFiles(join(output, 'static')).filter((path) => path.startsWith('v1/'))
  remove()
  return { routes, files }
}

it('leads by the routing library of Vercel to the file of each canonical request, and of no other', async () => {
  const { resolveRoutes } = require('@next/routing')
  const { routes, files } = await deployed()
  const encode = (path: string) => `/${path.split('/').map(encodeURIComponent).join('/')}`
  const none = {
    beforeMiddleware: [],
    afterFiles: [],
    dynamicRoutes: [],
    onMatch: [],
    fallback: [],
  }
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
    for (const query of ['', `${and}utm_source=x`, `${and}PAGE=2&unknown=1`]) {
      expect(await resolve(`${target}${query}`)).toBe(encode(file))
    }
  }
  // A route of a parameter leads to the function, and so does the one behind these: it has the path of a file.
  const others = notCanonical.filter((path) => !files.includes(`v1/open${path}`))
  expect(others.length).toBeGreaterThan(35)
  for (const path of others)
    expect([undefined, '/index'], path).toContain(await resolve(`/v1/open${path}`))
})

it('has routes as the schema of Vercel describes them, within the number that it allows', async () => {
  const { routesSchema, normalizeRoutes } = require('@vercel/routing-utils')
  const { routes } = await deployed()
  const validate = new Ajv({ strict: false }).compile(routesSchema)
  expect([validate(routes), validate.errors]).toEqual([true, null])
  expect(normalizeRoutes(routes).error).toBeNull()
  expect(routes.length).toBeGreaterThan(40)
  expect(routes.length).toBeLessThan(2048)
})
