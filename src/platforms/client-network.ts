// One name for one client, from an address that a host vouches for.
// Needs no Node; a name for a limit comes out, not an address to connect to.

/**
 * One name for one client: an IPv4 address, or the /64 of an IPv6 address, which is one network and so one
 * client.
 */
export function clientNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after)
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
