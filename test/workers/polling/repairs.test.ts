// Replies of real servers, recorded from Debian's packages, that gamedig alone does not get or read.
import { expect, test } from 'vitest'
import { openAsk, udpServer } from './far-end.ts'

const NETPANZER =
  String.raw`gamename\netpanzer\protocol\1122\hostname\Tanks\gameversion\0.8.7\mapname\Two clans\password\n\numplayers\1\maxplayers\8\player_0\Ann\score_0\0\final` +
  '\\'

test('a netPanzer server’s reply, which starts without a backslash and has no packet number, is read', async () => {
  const place = await udpServer('127.81.6.1', (_request, reply) => reply(Buffer.from(NETPANZER)))
  expect(await openAsk()('netpanzer', place)).toMatchObject({
    answered: true,
    map: 'Two clans',
    players: 1,
    maxPlayers: 8,
    hasPassword: false,
  })
})

const SHORT_REPLY = Buffer.from('0032000000056d5c00000000000000000000', 'hex')
const LONG_REPLY = Buffer.from(
  '00330000005b6d5c00000000001065526c6161206d72676174656f72006e00000000000000000011000000252e302e322e395f316c616870326132303033323220326e75786964206465636974616465000000090000000000206c41206c657374746e69736761202074656461666c7520746176756c7365002e001c746870742f3a772f7777612e6d72676174656f72616e2e64656e00740000000400000000000000000000000033330033fd44093faaab00aab4e80001e04e02040000',
  'hex',
)

test('an empty Armagetron server, which answers the long request only after the short one, is read', async () => {
  let awake = false
  const place = await udpServer('127.81.6.2', (request, reply) => {
    if (request[1] === 0x34) reply(SHORT_REPLY)
    else if (awake) reply(LONG_REPLY)
    awake ||= request[1] === 0x34
  })
  expect(await openAsk()('armagetronadvanced', place)).toMatchObject({
    answered: true,
    players: 0,
    maxPlayers: 9,
    version: '0.2.9.1_alpha20230222 unix dedicated',
  })
})

test('the short reply alone is no answer of an Armagetron server', async () => {
  const place = await udpServer('127.81.6.3', (_request, reply) => reply(SHORT_REPLY))
  expect(await openAsk({ tries: [200] })('armagetronadvanced', place)).toMatchObject({
    answered: false,
    reason: 'silent',
  })
})
