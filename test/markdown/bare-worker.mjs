// The bare library in a thread that can be ended: posts the length of the HTML.
// Knows nothing of quarry.
import { parentPort, workerData } from 'node:worker_threads'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

parentPort?.postMessage('started')
const html = unified().use(remarkParse).use(remarkGfm).use(remarkHtml).processSync(workerData)
parentPort?.postMessage(String(html).length)
