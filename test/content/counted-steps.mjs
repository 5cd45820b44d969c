// A thread that counts the steps of calls: how often V8 enters a block of their code. The same on every machine.
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'

/** `functions`: a function for each name, by the URL of its module; `calls`: a name and arguments. */
const { functions, calls } = workerData
const loaded = {}
for (const [name, url] of Object.entries(functions)) loaded[name] = (await import(url))[name]

const session = new Session()
session.connect()
send('Profiler.enable')
send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
parentPort?.postMessage(calls.map(({ name, values }) => stepsOf(() => loaded[name](...values))))

function stepsOf(run) {
  send('Profiler.takePreciseCoverage')
  run()
  const blocks = send('Profiler.takePreciseCoverage').result.flatMap(({ functions }) =>
    functions.flatMap(({ ranges }) => ranges),
  )
  return blocks.reduce((sum, { count }) => sum + count, 0)
}

/** A session on its own thread answers before `post` returns. */
function send(method, parameters) {
  let response
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(error.message)
    response = result
  })
  return response
}
