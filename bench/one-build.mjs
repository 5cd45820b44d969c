// One cold build in a process of its own; prints its figures as one JSON object.
import { join } from 'node:path'
import { build, resolveSettings } from 'quarry'

const [folder = '.'] = process.argv.slice(2)
const settings = resolveSettings({ content: join(folder, 'content'), out: join(folder, 'dist') })
const { timings, manifest } = await build(settings)
const peakBytes = process.resourceUsage().maxRSS * 1024
process.stdout.write(JSON.stringify({ timings, files: manifest.fileCount, peakBytes }))
