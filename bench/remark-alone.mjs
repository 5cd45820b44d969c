// Renders a share of some bodies with plain remark: warms up, then starts when a line arrives on stdin. Prints
// "ready", then wall and processor time in milliseconds.
// Usage: node remark-alone.mjs BODIES.json SHARE SHARES

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const [file = '', share = '0', shares = '1'] = process.argv.slice(2)
/** @type {{ readonly warmUp: readonly string[], readonly measured: readonly string[] }} */
const { warmUp, measured } = JSON.parse(readFileSync(file, 'utf8'))
const processor = unified().use(remarkParse).use(remarkGfm).use(remarkHtml).freeze()
for (const body of warmUp) processor.processSync(body)
process.stdout.write('ready\n')
await once(process.stdin, 'data')

const [started, cpu] = [performance.now(), process.cpuUsage()]
let letters = 0
for (let at = Number(share); at < measured.length; at += Number(shares)) {
  letters += String(processor.processSync(measured[at])).length
}
const milliseconds = performance.now() - started
const { user, system } = process.cpuUsage(cpu)
if (letters === 0) throw new Error('nothing was rendered')
process.stdout.write(
  JSON.stringify({ milliseconds, processorMilliseconds: (user + system) / 1000 }),
)
process.stdin.destroy()
