// One command to one Rust server over WebRCON (a WebSocket), within a time limit.
import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import { Agent, buildConnector, WebSocket } from 'undici'
import * as z from 'zod'
import { withPort } from '../../src/platform/public-address.ts'
import { MAX_ANSWER_BYTES, type RconExchange, RconFailure, type RconReason } from './exchange.ts'

/** Besides the answer, the server sends its log to every connection. */
const MAX_RECEIVED_BYTES = 4 * MAX_ANSWER_BYTES

/** Servers do not report that they accept the password; one that refuses it closes the connection within this time. */
const LOGIN_MS = 500

const Received = z.object({ Identifier: z.number(), Message: z.string() })

/**
 * The password is part of the URL, and a server closes the connection if it is wrong. The WebSocket standard forbids
 * redirects.
 * @throws RconFailure
 */
export async function exchangeWebRcon(options: RconExchange): Promise<string> {
  const { address, port, password, command, timeoutMs } = options
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Zero is the id of log messages.
  const id = randomInt(1, 2 ** 31)
  let stage: 'connecting' | 'handshake' | 'login' | 'command' = 'connecting'
  let connection: Socket | undefined
  let loggedIn: NodeJS.Timeout | undefined
  let bytes = 0
  const fail = (reason: RconReason, message: string, { closedAtLogin = false } = {}) =>
    reject(new RconFailure(reason, message, { isUnsent: stage !== 'command', closedAtLogin }))

  const connect = buildConnector({ timeout: timeoutMs })
  const agent = new Agent({
    webSocket: { maxPayloadSize: MAX_ANSWER_BYTES },
    connect: (target, done) =>
      connect(target, (...outcome) => {
        const [, connected] = outcome
        if (connected) stage = 'handshake'
        connection = connected ?? undefined
        done(...outcome)
      }),
  })
  const limit = setTimeout(
    () => (stage === 'connecting' ? fail('unreachable', 'not connected in time') : fail('timeout', 'no answer')),
    timeoutMs,
  )
  const socket = new WebSocket(`ws://${withPort(address, port)}/${encodeURIComponent(password)}`, { dispatcher: agent })
  socket.binaryType = 'arraybuffer'
  const sendCommand = () => {
    if (stage !== 'login') return
    stage = 'command'
    socket.send(JSON.stringify({ Identifier: id, Message: command, Name: 'WebRcon' }))
  }
  socket.addEventListener('open', () => {
    stage = 'login'
    loggedIn = setTimeout(sendCommand, LOGIN_MS)
  })
  socket.addEventListener('message', ({ data }) => {
    sendCommand()
    bytes += typeof data === 'string' ? data.length : MAX_RECEIVED_BYTES
    if (bytes > MAX_RECEIVED_BYTES) return fail('answer_too_large', `more than ${MAX_RECEIVED_BYTES} bytes`)
    const received = parse(data)
    if (!received) fail('protocol_error', 'not a WebRCON message')
    else if (received.Identifier === id) resolve(received.Message)
  })
  const onEnd = () => {
    if (stage === 'connecting') fail('unreachable', 'no connection')
    else if (stage === 'handshake') fail('protocol_error', 'no WebSocket')
    else fail('disconnected', 'the connection was closed')
  }
  const onClose = () => {
    if (stage === 'login') fail('wrong_password', 'closed before the command was sent', { closedAtLogin: true })
    else onEnd()
  }
  socket.addEventListener('error', onEnd)
  socket.addEventListener('close', onClose)
  try {
    return await promise
  } finally {
    clearTimeout(limit)
    clearTimeout(loggedIn)
    // The agent leaves a connection open that is a WebSocket by now: a later message would count as the login
    // and send the command.
    connection?.destroy()
    await agent.destroy()
  }
}

function parse(data: unknown): z.output<typeof Received> | undefined {
  try {
    return Received.safeParse(JSON.parse(String(data))).data
  } catch {
    return undefined // not JSON
  }
}
