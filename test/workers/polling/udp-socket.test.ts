// The socket that several queries share.
import dgram from 'node:dgram'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { createQuerySocket } from '../../../workers/polling/udp-socket.ts'
import { hasNoIpv6 } from '../../support/ipv6.ts'

it('gives each datagram to the callbacks that were added and not removed', async () => {
  const echo = dgram.createSocket('udp4', (datagram, { port, address }) => echo.send(datagram, port, address))
  echo.bind(0, '127.0.0.1')
  await once(echo, 'listening')
  const socket = createQuerySocket(() => undefined)
  onTestFinished(() => {
    socket.close()
    echo.close()
  })
  const received: string[] = []
  const callbacks = ['first', 'second', 'third', 'fourth'].map(
    (name) => (_: string, __: number, datagram: Buffer) => received.push(`${name} ${datagram}`),
  )
  const [first, second, third, fourth] = callbacks as [never, never, never, never]
  async function namesThatGet(text: string): Promise<string[]> {
    await socket.send(Buffer.from(text), '127.0.0.1', echo.address().port)
    await expect.poll(() => received.some((line) => line.endsWith(text))).toBe(true)
    return received
      .splice(0)
      .map((line) => line.replace(` ${text}`, ''))
      .sort()
  }

  for (const callback of [first, second, third, fourth]) socket.addCallback(callback)
  expect(await namesThatGet('a')).toEqual(['first', 'fourth', 'second', 'third'])
  socket.removeCallback(second)
  socket.removeCallback(second)
  expect(await namesThatGet('b')).toEqual(['first', 'fourth', 'third'])
  socket.removeCallback(third)
  expect(await namesThatGet('c')).toEqual(['first', 'fourth'])
  socket.removeCallback(fourth)
  expect(await namesThatGet('d')).toEqual(['first'])
})

it.skipIf(hasNoIpv6())('reports senders of both families by the address that was asked', async () => {
  const senders: string[] = []
  const socket = createQuerySocket(() => undefined)
  socket.addCallback((address, port) => senders.push(`${address} ${port}`))
  const places = await Promise.all(
    (['127.0.0.1', '::1'] as const).map(async (address) => {
      const echo = dgram.createSocket(address === '::1' ? 'udp6' : 'udp4', (datagram, peer) =>
        echo.send(datagram, peer.port, peer.address),
      )
      echo.bind(0, address)
      await once(echo, 'listening')
      onTestFinished(() => void echo.close())
      return { address, port: echo.address().port }
    }),
  )
  onTestFinished(() => socket.close())
  for (const { address, port } of places) await socket.send(Buffer.from('a'), address, port)
  await expect.poll(() => senders.toSorted()).toEqual(places.map(({ address, port }) => `${address} ${port}`).sort())
})
