// A Lambda function in a fresh process: loads the module, requests the targets, and prints the time of each.
// Usage: node lambda-cold.mjs FOLDER TARGET…
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder = '', ...targets] = process.argv.slice(2)
process.env['QUARRY_RATE_LIMIT'] = 'off'
const began = performance.now()
const { handler } = await import(pathToFileURL(join(folder, 'index.js')).href)
const times = { load: performance.now() - began, answers: [] }
for (const target of targets) {
  const [rawPath = '', rawQueryString = ''] = target.split('?')
  const started = performance.now()
  const { statusCode, body } = await handler({
    rawPath,
    rawQueryString,
    headers: {},
    requestContext: {
      domainName: 'bench.lambda-url.eu-central-1.on.aws',
      stage: '$default',
      http: { method: 'GET', sourceIp: '192.0.2.7' },
    },
  })
  if (statusCode !== 200) throw new Error(`${target} is a ${statusCode}: ${body}`)
  times.answers.push(performance.now() - started)
}
process.stdout.write(JSON.stringify({ ...times, peakBytes: process.resourceUsage().maxRSS * 1024 }))
