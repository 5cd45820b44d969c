import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../src/hosts/client-address.ts'

const proxy = '10.0.0.9'

describe('clientAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::1', '::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['', ''],
    ['/run/quarry.sock', '/run/quarry.sock'],
  ])('names the socket %j %j', (socket, expected) => {
    expect(clientAddress(socket, null, 0)).toBe(expected)
    expect(clientAddress(socket, null, 2)).toBe(expected)
  })

  it.each([0, -1, Number.NaN])('does not read the header with %s trusted proxies', (trusted) => {
    expect(clientAddress('192.0.2.1', '198.51.100.7', trusted)).toBe('192.0.2.1')
  })

  it.each([
    { header: '198.51.100.7', trusted: 1, expected: '198.51.100.7' },
    { header: '1.1.1.1, 198.51.100.7', trusted: 1, expected: '198.51.100.7' },
    { header: '1.1.1.1,2.2.2.2,198.51.100.7', trusted: 1, expected: '198.51.100.7' },
    { header: '1.1.1.1, 198.51.100.7, 10.0.0.8', trusted: 2, expected: '198.51.100.7' },
    { header: '1.1.1.1, 198.51.100.7, 10.0.0.8', trusted: 3, expected: '1.1.1.1' },
    { header: '198.51.100.7', trusted: 5, expected: '198.51.100.7' },
    { header: 'unknown', trusted: 5, expected: proxy },
    { header: '127.0.0.1, 198.51.100.7', trusted: 1, expected: '198.51.100.7' },
    { header: `${proxy}, 198.51.100.7`, trusted: 1, expected: '198.51.100.7' },
    { header: `${'1.1.1.1, '.repeat(500)}198.51.100.7`, trusted: 1, expected: '198.51.100.7' },
    { header: '1.1.1.1,,,, 198.51.100.7', trusted: 1, expected: '198.51.100.7' },
    { header: '1.1.1.1, , 10.0.0.8', trusted: 2, expected: proxy },
  ])('believes $trusted proxies in $header', ({ header, trusted, expected }) => {
    expect(clientAddress(proxy, header, trusted)).toBe(expected)
  })

  it.each([
    ['198.51.100.7:4711', '198.51.100.7'],
    ['\t198.51.100.7 ', '198.51.100.7'],
    ['[2001:db8::1]:443', '2001:db8::/64'],
    ['[2001:db8::1]', '2001:db8::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8::abcd:443', '2001:db8::/64'],
    ['[::ffff:198.51.100.7]:80', '198.51.100.7'],
    ['[fe80::1%25eth0]:80', 'fe80::/64'],
    ['fe80::1%lo', 'fe80::/64'],
  ])('reads the entry %j as %j', (header, expected) => {
    expect(clientAddress(proxy, header, 1)).toBe(expected)
  })

  it.each([
    ...['', ' ', ',', 'unknown', '_hidden', 'localhost', 'example.org', '"198.51.100.7"'],
    ...[
      '198.51.100.7:',
      '198.51.100.7:999999',
      '198.51.100.7:80:80',
      '198.51.100',
      '1',
      '256.1.1.1',
    ],
    ...['010.0.0.1', '0x7f.0.0.1', '2130706433', '198.51.100.7/8', '198.51.100.7 1.1.1.1'],
    ...['[198.51.100.7]', '[]', '[2001:db8::1', '2001:db8::1]:80', '[2001:db8::1]x', '[[::1]]'],
    ...['2001:db8:::1', ':::', '2001:db8::1::2', '12345::', '198.51.100.7\0', '１９８.51.100.7'],
    'for=198.51.100.7',
  ])('falls back on the socket for the entry %j', (header) => {
    expect(clientAddress(proxy, header, 1)).toBe(proxy)
  })

  it('gives a client one name, whatever it makes up', () => {
    const inventions = ['', '1.1.1.1', '::1, 2.2.2.2', ',,,', 'a'.repeat(9000), '198.51.100.8:1']
    const names = inventions.map((made) => clientAddress(proxy, `${made}, 198.51.100.7`, 1))
    expect(new Set(names)).toEqual(new Set(['198.51.100.7']))
  })

  it('gives the addresses of one IPv6 network one name', () => {
    const addresses = ['2001:db8:5:6::1', '2001:db8:5:6:ffff:ffff:ffff:ffff', '2001:db8:5:6:a::']
    const names = addresses.map((address) => clientAddress(address, null, 0))
    expect(new Set(names).size).toBe(1)
  })
})
