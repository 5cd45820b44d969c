// Names the client of a request, for rate limits and logs. Needs no Node.

/**
 * Returns one name per client, however its address is written: the IPv4 address, or the /64 of an IPv6 address, which
 * is one network and so one client. Not an address to connect to.
 *
 * @param address as the host reports it; an IPv6 address may have a zone
 * @returns null when it is no address
 */
export function networkOf(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
  if (ipv4.test(plain)) return plain
  const bare = address.replace(/%.*/s, '')
  const url = `http://[${bare}]`
  if (!/^[0-9a-f:.]+$/i.test(bare) || !bare.includes(':') || !URL.canParse(url)) return null
  // The host of a URL has one spelling: lower case, no leading zeros, the longest run of zeros as `::`.
  const spelled = new URL(url).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(spelled) ?? []
  if (high !== undefined && low !== undefined) {
    return [high, low]
      .flatMap((pair) => [parseInt(pair, 16) >> 8, parseInt(pair, 16) & 255])
      .join('.')
  }
  const [head = '', tail] = spelled.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  const network = [...groups, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4)
  while (network.at(-1) === '0') network.pop()
  return `${network.join(':')}::/64`
}

const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
// regex: four numbers
const ipv4 = new RegExp(`^${byte}(?:\\.${byte}){3}$`)

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
 * @param forwardedFor the header, several joined by commas; null when absent
 * @param trustedProxies proxies between the internet and this server; 0 ignores the header
 * @returns the socket's when the header's entry is no address; the leftmost when there are fewer entries than proxies
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | null,
  trustedProxies: number,
): string {
  const entries = trustedProxies >= 1 ? (forwardedFor ?? '').split(',') : []
  const entry = (entries.at(-trustedProxies) ?? entries[0] ?? '').trim()
  return networkOf(withoutPort(entry)) ?? networkOf(socketAddress) ?? socketAddress
}

/** `[2001:db8::1]:443` → `2001:db8::1`, `192.0.2.1:443` → `192.0.2.1`. */
function withoutPort(entry: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(entry) ?? []
  if (bracketed !== undefined) return bracketed.includes(':') ? bracketed : ''
  return /^([0-9.]+):[0-9]{1,5}$/.exec(entry)?.[1] ?? entry
}
