// Requests made from the OpenAPI document alone: no response contradicts it. QUARRY_FUZZ=100000 sends that many.
import { afterAll, beforeAll, expect, it } from 'vitest'
import fc, { type Arbitrary } from '../support/fast-check.ts'
import { type Asking, type HostUnderTest, type OpenApiOperation, openAsking } from './host.ts'
import { openInProcess } from './hosts.ts'

type Parameter = OpenApiOperation['parameters'][number]

let host: HostUnderTest
let asking: Asking
beforeAll(async () => {
  host = await openInProcess()
  asking = await openAsking(host)
})
afterAll(() => host?.close?.())

/** Names that the fixture has, and any other text. */
const names = fc.oneof(
  fc.constantFrom('acme', 'beta', 'index', 'alpha', 'news', 'ada', '日本', 'a.json', 'post-3'),
  fc.string({ minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
)

const dates = fc
  .tuple(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(10, 24))
  .map(([milliseconds, length]) => new Date(milliseconds).toISOString().slice(0, length))

/** Values that a schema accepts, as they are in a query. */
function accepted({ type, anyOf, enum: among, ...schema }: Parameter['schema']): Arbitrary<string> {
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => accepted(one)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (among !== undefined) return fc.constantFrom(...among)
  if (type === 'boolean') return fc.constantFrom('true', 'false')
  if (type === 'integer') {
    const { minimum = 0, maximum = 100 } = schema
    const small = fc.integer({ min: minimum, max: Math.min(maximum, 9) })
    return fc
      .oneof(
        small,
        fc.maxSafeNat().map((one) => Math.max(minimum, one % (maximum + 1))),
      )
      .map(String)
  }
  if (type === 'array') {
    const item = schema.items?.enum === undefined ? names : accepted(schema.items)
    return fc.array(item, { minLength: 1, maxLength: 5 }).map((items) => items.join(','))
  }
  // The only pattern is that of dates.
  if (schema.pattern !== undefined) return dates
  return fc.string({ unit: 'binary', maxLength: schema.maxLength ?? 20 })
}

/** Values that are no number, no flag and no word of an enumeration. */
const strange = fc.oneof(
  fc.constantFrom('0', '-1', '1e3', '1.5', 'TRUE', 'null', '[]', '{}', '٣', 'a,b', ' 1'),
  fc.string({ unit: 'binary' }),
)

/** A value of a query, and whether the document accepts it. */
interface Given {
  readonly value: string
  readonly isFine: boolean
}

interface Fuzzed {
  readonly target: string
  /** Parameters with a value that the document accepts. */
  readonly fine: readonly string[]
}

function requestsTo(template: string, { parameters }: OpenApiOperation): Arbitrary<Fuzzed> {
  // With `select` the schema is still that of whole posts.
  const query = parameters.filter((one) => one.in === 'query' && one.name !== 'select')
  const values = fc.record(
    Object.fromEntries(
      query.map(({ name, schema }) => [
        name,
        fc.oneof(
          { weight: 9, arbitrary: accepted(schema).map((value) => ({ value, isFine: true })) },
          { weight: 1, arbitrary: strange.map((value) => ({ value, isFine: false })) },
        ),
      ]),
    ),
    { requiredKeys: [] },
  )
  const segments = template.split('/').map((part) => {
    if (!part.startsWith('{')) return fc.constant(part)
    const known = fc.constant('acme')
    return part === '{workspaceId}' ? fc.oneof({ weight: 9, arbitrary: known }, names) : names
  })
  return fc.tuple(fc.tuple(...segments), values).map(([path, given]) => ({
    target: `${path.map(encodeURIComponent).join('/')}?${Object.entries(
      given as Record<string, Given>,
    )
      .map(([name, { value }]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')}`,
    fine: Object.entries(given as Record<string, Given>).flatMap(([name, { isFine }]) =>
      isFine ? [name] : [],
    ),
  }))
}

it('no response contradicts the document', async () => {
  const { document, site, ask } = asking
  const headers = { authorization: `Bearer ${site.keys.drafts}` }
  const any = fc.oneof(
    ...Object.entries(document.paths).map(([template, { get }]) => requestsTo(template, get)),
  )
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(any, async ({ target, fine }) => {
      // Holds the body against the schema of its path and status.
      const { status, body } = await ask(target, { headers })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect([200, 308, 400, 404, 410, 414], target).toContain(status)
      // A value that the document accepts is never the reason of a 400, except the one that its text names.
      const isDescribed = /limit=all/.test(target) && /include=[^&]*matches/.test(target)
      const refused = Array.isArray(body?.details)
        ? body.details.map(({ field }: { field: string }) => field)
        : []
      expect(
        refused.filter((name: string) => fine.includes(name) && !(isDescribed && name === 'limit')),
        target,
      ).toEqual([])
    }),
    { numRuns: Number(process.env['QUARRY_FUZZ'] ?? 2000) },
  )
  process.stdout.write(`fuzzed: ${JSON.stringify(Object.fromEntries(statuses))}\n`)
  expect(statuses.get(200) ?? 0).toBeGreaterThan(100)
  expect(statuses.get(400) ?? 0).toBeGreaterThan(50)
}, 600_000)
