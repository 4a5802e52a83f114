// The country of an address: from the packaged data, from an operator's file, and honest where none is known.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COUNTRIES, continentOf } from '../../../src/platform/countries.ts'
import { openCountries } from '../../../src/platform/country-database.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'

const countryOf = openCountries()

test('an address is in the country that its range is assigned to', () => {
  expect(countryOf('88.198.1.1')).toBe('DE')
  expect(countryOf('193.99.144.80')).toBe('DE')
  expect(countryOf('8.8.8.8')).toBe('US')
  expect(countryOf('2a01:4f8::1')).toBe('DE')
  expect(countryOf('2001:4860:4860::8888')).toBe('US')
})

test('an anycast proxy is in no known country', () => {
  for (const address of ['104.16.0.1', '172.65.255.1', '162.159.1.1', '2606:4700::6810:1', '2a06:98c1::1'])
    expect(countryOf(address)).toBe('')
})

test('private, loopback and documentation addresses have no country to store', () => {
  for (const address of [
    '127.1.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '100.64.0.1',
    '203.0.113.7',
    '0.0.0.0',
    '::1',
    'fd00::1',
    '2001:db8::1',
  ])
    expect(countryOf(address)).toBeUndefined()
})

test('every address has a code of ISO 3166-1 or none, and every code a continent', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      expect(['', undefined, ...COUNTRIES]).toContain(countryOf(address))
    }),
  )
  expect(COUNTRIES).toHaveLength(249)
  for (const code of COUNTRIES) expect(continentOf(code)).not.toBe('')
})

test('a file without IPv6 has no country for an IPv6 address', () => {
  const ipv4Only = openCountries(
    'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb',
  )
  expect(ipv4Only('88.198.1.1')).toBe('DE')
  expect(ipv4Only('2a01:4f8::1')).toBe('')
})

test('a file that is missing or no database stops the start', () => {
  expect(() => openCountries('/nowhere/country.mmdb')).toThrow()
  expect(() => openCountries('package.json')).toThrow()
})

test('an outcome has the country of the address that was queried, answered or not', async () => {
  const queries = createQueryPool({ concurrency: 1, onIdle: () => undefined })
  const ask = createAskServer({
    pool: queries,
    resolve: async () => ({ address: '127.255.255.254' }),
    countryOf: (address) => (address === '127.255.255.254' ? 'AQ' : 'XX'),
    tries: { online: [10], offline: [10] },
  })
  const target = { game: 'ase', ipAddress: 'game.example', queryPort: 9, isOnline: false }
  expect(await ask(target)).toMatchObject({ answered: false, country: 'AQ' })
  queries.close()
})
