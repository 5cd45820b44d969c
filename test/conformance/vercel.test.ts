// The suite, on what a build for Vercel wrote.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { provideHostPackages } from '../support/host-packages.ts'
import { deployExample } from './deployed.ts'
import { addOpenWorkspace, defineFiles } from './files.ts'
import { defineConformance } from './suite.ts'
import { openVercel } from './vercel.ts'

defineConformance('vercel', openVercel, {
  'is confirmed to those who have it: an image': 'Vercel gives files by itself',
})

// Its documents do not say which value of a repeated parameter counts.
defineFiles('Vercel', openVercel, { skipsTwice: true })

it('has routes as the schema of Vercel describes them, within the number that it allows', async () => {
  const require = createRequire(join(provideHostPackages('vercel'), 'x.js'))
  const { routesSchema, normalizeRoutes } = require('@vercel/routing-utils')
  const { folder, remove } = await deployExample('vercel', addOpenWorkspace)
  const { routes } = JSON.parse(readFileSync(join(folder, '.vercel/output/config.json'), 'utf8'))
  remove()
  const validate = new Ajv({ strict: false }).compile(routesSchema)
  expect([validate(routes), validate.errors]).toEqual([true, null])
  expect(normalizeRoutes(routes).error).toBeNull()
  expect(routes.length).toBeGreaterThan(40)
  expect(routes.length).toBeLessThan(2048)
})
