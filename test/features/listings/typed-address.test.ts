// What is read from texts that people type or paste as the address of a server.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { games, isGameType, joinUrlOf } from '../../../src/features/games/index.ts'
import { readTypedAddress } from '../../../src/features/listings/typed-address.ts'

describe('an address', () => {
  it.each([
    ['play.example.org', 'play.example.org', undefined],
    [' Play.Example.ORG. ', 'play.example.org', undefined],
    ['play.example.org:25570', 'play.example.org', 25_570],
    ['203.0.113.5:27015', '203.0.113.5', 27_015],
    ['203.0.113.5 27015', '203.0.113.5', 27_015],
    ['203.0.113.5, 27015', '203.0.113.5', 27_015],
    ['`203.0.113.5:27015`', '203.0.113.5', 27_015],
    ['2001:DB8::1', '2001:db8::1', undefined],
    ['[2001:db8::1]', '2001:db8::1', undefined],
    ['[2001:db8::1]:27015', '2001:db8::1', 27_015],
    ['::ffff:203.0.113.5', '203.0.113.5', undefined],
    ['bücher.example:7777', 'xn--bcher-kva.example', 7777],
    ['connect 203.0.113.5:28015; password secret', '203.0.113.5', 28_015],
    ['client.connect 203.0.113.5:28015', '203.0.113.5', 28_015],
    ['connect "play.example.org:27015"', 'play.example.org', 27_015],
    ['+connect 203.0.113.5:27015', '203.0.113.5', 27_015],
    ['/connect 203.0.113.5', '203.0.113.5', undefined],
    ['open 203.0.113.5:7777', '203.0.113.5', 7777],
  ])('%s', (typed, host, port) => {
    expect(readTypedAddress(typed)).toEqual({ host, port, games: [] })
  })
})

describe('a join link', () => {
  it.each([
    ['steam://connect/203.0.113.5:27015', '203.0.113.5', 27_015, []],
    ['steam://connect/203.0.113.5:27015/secret', '203.0.113.5', 27_015, []],
    ['STEAM://CONNECT/play.example.org:27015', 'play.example.org', 27_015, []],
    ['steam://run/730//+connect%20203.0.113.5:27015', '203.0.113.5', 27_015, ['counterstrike2']],
    ['steam://rungameid/252490//+connect 203.0.113.5:28015', '203.0.113.5', 28_015, ['rust']],
    ['steam://run/427520//--mp-connect%20203.0.113.5:34197/', '203.0.113.5', 34_197, []],
    ['minecraft://?addExternalServer=My%20World|play.example.org:19132', 'play.example.org', 19_132, ['mbe']],
    ['minecraft://connect?serverUrl=play.example.org&serverPort=19133', 'play.example.org', 19_133, ['mbe']],
    ['fivem://connect/play.example.org:30120', 'play.example.org', 30_120, ['gta5f']],
    ['fivem://connect/abc-def.users.cfx.re', 'abc-def.users.cfx.re', undefined, ['gta5f']],
    ['redm://connect/203.0.113.5', '203.0.113.5', undefined, ['rdr2r']],
    ['altv://connect/203.0.113.5%3A7788', '203.0.113.5', 7788, ['gta5am']],
    ['rage://v/connect?ip=203.0.113.5:22005', '203.0.113.5', 22_005, ['gta5r']],
    ['samp://203.0.113.5:7777', '203.0.113.5', 7777, ['gtasao', 'gtasam']],
    ['ts3server://voice.example.org?port=9988', 'voice.example.org', 9988, ['teamspeak3']],
    ['ts3server://voice.example.org', 'voice.example.org', undefined, ['teamspeak3']],
    ['mumble://voice.example.org:64739/?version=1.2.0', 'voice.example.org', 64_739, ['mumble']],
    ['luanti://play.example.org:30001', 'play.example.org', 30_001, ['minetest']],
    ['minetest://play.example.org', 'play.example.org', undefined, ['minetest']],
    ['mtasa://[2001:db8::1]:22003', '2001:db8::1', 22_003, ['gtasamta']],
  ])('%s', (typed, host, port, types) => {
    expect(readTypedAddress(typed)).toEqual({ host, port, games: types })
    for (const type of types) expect(isGameType(type)).toBe(true)
  })

  it('of every game that the product makes leads back to its server', () => {
    const address = { name: 'A | b “c”', ipAddress: '203.0.113.5', gamePortGiven: true }
    for (const id of Object.keys(games)) {
      const [gamePort, queryPort] = [12_345, 12_346]
      const url = joinUrlOf({ ...address, game: id, gamePort, queryPort })
      if (url === undefined) continue
      const read = readTypedAddress(url)
      expect(read, url).toMatchObject({ host: '203.0.113.5' })
      expect([gamePort, queryPort], url).toContain('port' in read ? read.port : undefined)
    }
  })
})

describe('what is no address', () => {
  it.each([
    ['2001:db8::1:70000', 'brackets'],
    ['play.example.org:0', 'a port from 1 to 65535'],
    ['play.example.org:70000', 'a port from 1 to 65535'],
    ['play.example.org:x', 'a port from 1 to 65535'],
    ['[2001:db8::1]:99999', 'a port from 1 to 65535'],
    ['https://play.example.org', 'not of a website'],
    ['http://203.0.113.5:8080/', 'not of a website'],
    ['https://cfx.re/join/abc123', 'only FiveM'],
    ['cfx.re/join/abc123', 'only FiveM'],
    ['steam://joinlobby/730/1/2', 'a join link that has'],
    ['steam://', 'a join link that has'],
    ['ftp://play.example.org', 'a join link that has'],
    ['my great server', 'a port from 1 to 65535'],
    ['127.1', 'an address like'],
    ['0x7f000001', 'an address like'],
    ['user@play.example.org', 'an address like'],
    ['', 'an address like'],
  ])('%s: the rule is named', (typed, rule) => {
    expect(readTypedAddress(typed)).toEqual({ problem: expect.stringContaining(rule) })
  })

  it('never makes a read fail, and never gives a host that is not normalized', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `steam://connect/${text}`),
          fc.webUrl(),
        ),
        (typed) => {
          const read = readTypedAddress(typed)
          if ('host' in read)
            expect(readTypedAddress(read.host)).toEqual({ host: read.host, port: undefined, games: [] })
          else expect(read.problem).not.toBe('')
        },
      ),
    )
  })
})
