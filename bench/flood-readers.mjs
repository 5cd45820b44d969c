// Clients that request everything, as a separate process: each connection requests a target repeatedly. On SIGTERM,
// prints the number of received responses and bytes as JSON.
// Usage: node flood-readers.mjs PORT TARGET CONNECTIONS LOCAL_ADDRESS ACCEPT_ENCODING
import { Agent, get } from 'node:http'

const [port, path, connections, localAddress, encoding] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const received = { responses: 0, refused: 0, bytes: 0 }

for (let number = 0; number < Number(connections); number++) request()
process.once('SIGTERM', () => {
  process.stdout.write(JSON.stringify(received))
  process.exit()
})

function request() {
  const headers = { 'accept-encoding': encoding }
  // Refused or disconnected clients continue, but do not spin.
  const again = (status) => {
    if (status === 200) received.responses += 1
    else received.refused += 1
    setTimeout(request, status === 200 ? 0 : 100)
  }
  get({ host: '127.0.0.1', port, path, agent, localAddress, headers }, (response) => {
    response.on('data', ({ length }) => {
      received.bytes += length
    })
    response.on('close', () => again(response.complete ? response.statusCode : 0))
  }).on('error', (error) => {
    if (error.syscall !== 'read') throw error
    again(0)
  })
}
