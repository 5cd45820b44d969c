// The client address of a request behind trusted proxies, for rate limits.
import type { IncomingMessage } from 'node:http'
import { UseError } from '../config.ts'
import { clientAddress } from '../hosts/client-address.ts'
import { headerOf } from '../hosts/server.ts'

/**
 * Returns a reader of client addresses.
 *
 * @param setting `QUARRY_TRUSTED_PROXIES`: number of trusted proxies in front of the server, 0 to 16
 * @throws UseError if it is not such a number
 */
export function clientAddressReader(setting = '0'): (incoming: IncomingMessage) => string {
  if (!/^(1[0-6]|[0-9])$/.test(setting)) {
    const got = JSON.stringify(setting)
    throw new UseError(`QUARRY_TRUSTED_PROXIES is ${got}. It must be a number from 0 to 16.`)
  }
  const trustedProxies = Number(setting)
  if (trustedProxies === 0) return socketAddressReader()
  return (incoming) => {
    const forwardedFor = headerOf(incoming.rawHeaders, 'x-forwarded-for')
    return clientAddress(incoming.socket.remoteAddress ?? '', forwardedFor, trustedProxies)
  }
}

/** Parses the address once per connection. */
function socketAddressReader(): (incoming: IncomingMessage) => string {
  const addresses = new WeakMap<IncomingMessage['socket'], string>()
  return ({ socket }) => {
    const cached = addresses.get(socket)
    if (cached !== undefined) return cached
    const address = clientAddress(socket.remoteAddress ?? '', null, 0)
    addresses.set(socket, address)
    return address
  }
}
