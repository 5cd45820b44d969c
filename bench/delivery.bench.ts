// Counts how often each host starts its function for a log of requests, and verifies responses against the
// function's.
// Usage: npm run bench:delivery -- [requests] [host …]
import { availableParallelism, cpus } from 'node:os'
import { deliveryHosts, measureDelivery, measureFromIndex } from '../test/support/delivery.ts'
import { deliveryLog } from '../test/support/delivery-log.ts'

const words = process.argv.slice(2)
const requests = Number(words.find((word) => /^\d+$/.test(word)) ?? 10_000)
const hosts = words.filter((word) => Object.hasOwn(deliveryHosts, word))
const log = deliveryLog(requests)

process.stdout.write(
  `machine   ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, Node ${process.version}\n`,
)
process.stdout.write(
  'host        started   needed the index   canonical without it   differ   p50 of a canonical request: from the index, now\n',
)
for (const host of hosts.length > 0 ? hosts : Object.keys(deliveryHosts)) {
  const fromIndex = await measureFromIndex(host, log)
  const { started, needed, canonicalNeeded, differ, p50 } = await measureDelivery(host, log)
  const canonical = log.filter(({ kind }) => kind === 'canonical').length
  const cells = [
    host.padEnd(12),
    percent(started, requests).padEnd(10),
    percent(needed, requests).padEnd(19),
    percent(canonical - canonicalNeeded, canonical).padEnd(23),
    String(differ.length).padEnd(9),
    `${fromIndex.toFixed(2)} ms`.padEnd(13),
    `${p50.toFixed(2)} ms`,
  ]
  process.stdout.write(`${cells.join('')}\n`)
  for (const target of new Set(differ)) process.stdout.write(`  differs: ${target}\n`)
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`
}
