import { expect, it } from 'vitest'
import { clientAddress } from '../../src/hosts/function.ts'

const proxy = '10.0.0.9'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
])('the socket %j is the client %j', (socket, expected) => {
  expect(clientAddress(socket, '', 0)).toBe(expected)
  expect(clientAddress(socket, '', 2)).toBe(expected)
})

const unreadable = [
  ...['', ',', 'unknown', '_hidden', 'example.org', '198.51.100.7:999999', '256.1.1.1'],
  ...['010.0.0.1', '2130706433', '[198.51.100.7]', '2001:db8:::1', '12345::', '１９８.51.100.7'],
]

it.each<[trusted: number, header: string, expected: string]>([
  [0, '198.51.100.7', proxy],
  [1, '1.1.1.1,198.51.100.7', '198.51.100.7'],
  [2, '1.1.1.1, 198.51.100.7, 10.0.0.8', '198.51.100.7'],
  [5, '198.51.100.7', '198.51.100.7'],
  [1, `${'1.1.1.1, '.repeat(500)}198.51.100.7`, '198.51.100.7'],
  [2, '1.1.1.1, , 10.0.0.8', proxy],
  [1, '\t198.51.100.7:4711 ', '198.51.100.7'],
  [1, '[2001:db8::1]:443', '2001:db8::/64'],
  [1, '[::ffff:198.51.100.7]:80', '198.51.100.7'],
  ...unreadable.map((header): [number, string, string] => [1, header, proxy]),
])('%i proxies are believed in %j: the client is %s', (trusted, header, expected) => {
  expect(clientAddress(proxy, header, trusted)).toBe(expected)
})
