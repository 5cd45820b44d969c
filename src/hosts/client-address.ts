// Names the client of a request, for rate limits and logs. Needs no Node.

/**
 * Returns one name per client, however its address is written: the IPv4 address, or the /64 of an IPv6 address, which
 * is one network and so one client. Not an address to connect to.
 *
 * @param address as the host reports it; an IPv6 address may have a zone
 * @returns null when it is no address
 */
export function networkOf(address: string): string | null {
  const [bare = ''] = address.split('%', 1)
  const isV6 = bare.includes(':')
  const url = `http://${isV6 ? `[${bare}]` : bare}`
  if (!/^[0-9a-f:.]+$/i.test(bare) || !URL.canParse(url)) return null
  // The host of a URL has one spelling: lower case, no leading zeros, the longest run of zeros as `::`.
  const { hostname } = new URL(url)
  if (!isV6) return hostname === bare && /^[0-9.]+$/.test(bare) ? bare : null
  const spelled = hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(spelled)?.slice(1)
  if (mapped !== undefined) {
    return mapped.flatMap((pair) => [parseInt(pair, 16) >> 8, parseInt(pair, 16) & 255]).join('.')
  }
  const [head = [], tail = []] = spelled.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const network = [...head, ...zeros, ...tail].slice(0, 4)
  while (network.at(-1) === '0') network.pop()
  return `${network.join(':')}::/64`
}

/**
 * Returns the client behind a known number of trusted proxies.
 *
 * Every proxy appends its peer's address to `X-Forwarded-For`. Only the entries of trusted proxies are believed; the
 * client controls everything to their left.
 *
 * ```
 * trustedProxies = 2:   made up, made up, CLIENT, proxy 1      and the socket's is proxy 2
 * ```
 *
 * @param socketAddress the peer of the connection
 * @param forwardedFor the header, several joined by commas; '' when absent
 * @param trustedProxies proxies between the internet and this server; 0 ignores the header
 * @returns the socket's when the header's entry is no address; the leftmost when there are fewer entries than proxies
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string,
  trustedProxies: number,
): string {
  const entries = trustedProxies >= 1 ? forwardedFor.split(',') : []
  const entry = (entries.at(-trustedProxies) ?? entries[0] ?? '').trim()
  // `[2001:db8::1]:443`, `192.0.2.1:443`
  const [, v6, v4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(entry) ?? []
  const address = v6 === undefined || v6.includes(':') ? (v6 ?? v4 ?? entry) : ''
  return networkOf(address) ?? networkOf(socketAddress) ?? socketAddress
}
