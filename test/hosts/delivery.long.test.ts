// A short log of requests on every host: responses are the function's own, and no canonical one needs its index.
// QUARRY_DELIVERY=10000 runs a longer one.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deliveryHosts, measureDelivery } from '../support/delivery.ts'
import { deliveryLog } from '../support/delivery-log.ts'
import { provideNginx } from '../support/nginx.ts'

const log = deliveryLog(Number(process.env['QUARRY_DELIVERY'] ?? 300))
const canonical = log.filter(({ kind }) => kind === 'canonical').length

describe.each(Object.keys(deliveryHosts))('on %s', (name) => {
  const isMissing = name === 'nginx' && provideNginx() !== null
  it.skipIf(isMissing)(
    'every response is that of the function, and no canonical one needs its index',
    async () => {
      // Functions without their index write their faults there.
      const faults = vi.spyOn(console, 'error').mockReturnValue()
      onTestFinished(() => faults.mockRestore())
      const counted = await measureDelivery(name, log)
      process.stdout.write(`${name}: ${JSON.stringify({ ...counted, p50: undefined })}\n`)
      expect(counted.differ).toEqual([])
      expect(counted.canonicalNeeded).toBe(0)
      expect(counted.needed).toBeGreaterThan(0)
      expect(counted.needed).toBeLessThan((log.length - canonical) * 1.01)
      // Netlify's cache starts the function once for each response, and the others as often as a file is missing.
      if (name === 'netlify') expect(counted.started).toBeLessThan(log.length / 2)
    },
    600_000,
  )
})
