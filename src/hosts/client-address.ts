// Determines the client's address behind a known number of trusted proxies.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns one name per client, however its address is written.
 *
 * Every proxy appends its peer's address to `X-Forwarded-For`. Only the entries of trusted proxies are believed; the
 * client controls everything to their left.
 *
 * ```
 * trustedProxies = 2:   made up, made up, CLIENT, proxy 1      and the socket's is proxy 2
 * ```
 *
 * @param socketAddress the peer of the connection
 * @param forwardedFor the header, several joined by commas; null when absent
 * @param trustedProxies proxies between the internet and this server; 0 ignores the header
 * @returns an IPv4 address, or the /64 of an IPv6 address (`2001:db8::/64`), which is one network and so one client.
 *   The socket's when the header's entry is no address; the leftmost when there are fewer entries than proxies
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | null,
  trustedProxies: number,
): string {
  const forwarded = trustedProxies >= 1 ? entryOf(forwardedFor ?? '', trustedProxies) : null
  return forwarded ?? networkOf(socketAddress) ?? socketAddress
}

function entryOf(forwardedFor: string, fromRight: number): string | null {
  const entries = forwardedFor.split(',')
  const entry = entries.at(-fromRight) ?? entries[0] ?? ''
  return networkOf(withoutPort(entry.trim()))
}

/** `[2001:db8::1]:443` → `2001:db8::1`, `192.0.2.1:443` → `192.0.2.1`. */
function withoutPort(entry: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(entry) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : ''
  return /^([0-9.]+):[0-9]{1,5}$/.exec(entry)?.[1] ?? entry
}

/** Returns null when `text` is not an address. */
function networkOf(text: string): string | null {
  // Dual-stack sockets write IPv4 addresses this way.
  const plain = text.replace(/^::ffff:(?=[0-9.]+$)/, '')
  // `isIP` is stricter than the parser, which also accepts `1` and `0x7f.1`.
  if (isIP(plain) === 4) return plain
  if (isIP(text) === 0) return null
  const address = ipaddr.process(text.replace(/%.*/s, ''))
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().fill(0, 8)
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
