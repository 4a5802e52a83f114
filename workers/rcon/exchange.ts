// One command to one game server over Source RCON: connect, log in, send and collect the answer, within a time limit.
import net from 'node:net'
import {
  AUTH,
  AUTH_RESPONSE,
  createPacketReader,
  EXEC_COMMAND,
  encodePacket,
  type Packet,
  PacketError,
  RESPONSE_VALUE,
} from './packets.ts'

export type RconReason =
  | 'unreachable'
  | 'timeout'
  | 'wrong_password'
  | 'disconnected'
  | 'protocol_error'
  | 'answer_too_large'

/** Why there is no answer. */
export class RconFailure extends Error {
  override name = 'RconFailure'
  readonly reason: RconReason
  /** Whether the command was certainly not sent. */
  readonly isUnsent: boolean
  /** Whether a wrong password is only presumed, because the connection was closed during the login. */
  readonly closedAtLogin: boolean

  constructor(
    reason: RconReason,
    message: string,
    options: ErrorOptions & { isUnsent: boolean; closedAtLogin?: boolean },
  ) {
    super(message, options)
    this.reason = reason
    this.isUnsent = options.isUnsent
    this.closedAtLogin = options.closedAtLogin ?? false
  }
}

export interface RconExchange {
  /** IPv4 or IPv6, resolved and checked; not a name, which would be looked up again. */
  address: string
  port: number
  password: string
  command: string
  /** Time limit for the whole exchange. */
  timeoutMs: number
  /** Silence that ends an answer if the server does not mirror the end mark. */
  quietMs?: number
}

const LOGIN_ID = 1
const COMMAND_ID = 2
const END_ID = 3

/** A Source server's list of all variables has about 200 kB; few answers exceed 10 kB. */
export const MAX_ANSWER_BYTES = 256 * 1024
/** Servers split answers near 4 kB: a longer packet is followed by more, a shorter one is the last. */
const FULL_BODY_BYTES = 3_900

/**
 * The protocol does not mark the end of an answer. Source servers mirror an empty RESPONSE_VALUE sent after the command
 * when the answer is complete. Others (ARK) ignore it, and their answer ends with silence. It is sent once the answer
 * has begun, because Minecraft rejects two packets in one segment.
 * @returns the answer, without the final zero bytes of its packets
 * @throws RconFailure
 */
export function exchange(options: RconExchange): Promise<string> {
  const { address, port, password, command, timeoutMs, quietMs = 1_000 } = options
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = createPacketReader(MAX_ANSWER_BYTES)
  const answer: Buffer[] = []
  let stage: 'connecting' | 'login' | 'command' | 'over' = 'connecting'
  let isEndRequested = false
  let isEndMirrored = false
  let quiet: NodeJS.Timeout | undefined

  const socket = net.connect({ host: address, port, noDelay: true })
  const limit = setTimeout(() => {
    if (stage === 'connecting') fail('unreachable', 'the connection was not accepted in time')
    else fail('timeout', stage === 'login' ? 'no answer to the login' : 'no complete answer to the command')
  }, timeoutMs)

  function end(): boolean {
    if (stage === 'over') return false
    stage = 'over'
    clearTimeout(limit)
    clearTimeout(quiet)
    socket.destroy()
    return true
  }

  function fail(reason: RconReason, message: string, cause?: unknown): void {
    const isUnsent = stage !== 'command'
    if (end()) reject(new RconFailure(reason, message, { cause, isUnsent }))
  }

  function finish(): void {
    if (end()) resolve(Buffer.concat(answer).toString('utf8'))
  }

  function requestEnd(): void {
    if (isEndRequested) return
    isEndRequested = true
    socket.write(encodePacket(END_ID, RESPONSE_VALUE, ''))
  }

  function onSilence(): void {
    if (answer.length || isEndMirrored) finish()
    else requestEnd() // the command may have no output; then only the mirrored mark arrives
  }

  function waitForSilence(): void {
    clearTimeout(quiet)
    const isCut = (answer.at(-1)?.length ?? 0) >= FULL_BODY_BYTES
    quiet = setTimeout(onSilence, answer.length === 0 || isCut ? 2 * quietMs : quietMs)
  }

  function onLoginPacket({ id, type }: Packet): void {
    if (type !== AUTH_RESPONSE) return // Source sends an empty RESPONSE_VALUE before it
    if (id === -1) fail('wrong_password', 'the login was refused')
    if (id !== LOGIN_ID) return
    stage = 'command'
    socket.write(encodePacket(COMMAND_ID, EXEC_COMMAND, command))
    waitForSilence()
  }

  function onCommandPacket({ id, body }: Packet): void {
    if (id === -1) fail('wrong_password', 'the command was refused')
    else if (id === END_ID) isEndMirrored = true
    else if (id === COMMAND_ID) answer.push(body)
    else return // not an answer: ARK sends "Keep Alive" with id 0
    if (isEndMirrored && answer.length) finish()
    if (stage === 'over') return
    if (answer.length) requestEnd()
    // A server that runs commands asynchronously may mirror the mark first, so the mark alone is not the end.
    waitForSilence()
  }

  function onData(piece: Buffer): void {
    try {
      for (const packet of reader.push(piece)) {
        if (stage === 'login') onLoginPacket(packet)
        else if (stage === 'command') onCommandPacket(packet)
      }
    } catch (error) {
      if (!(error instanceof PacketError)) throw error
      fail(error.reason, error.message)
    }
  }

  socket.on('connect', () => {
    stage = 'login'
    socket.write(encodePacket(LOGIN_ID, AUTH, password))
  })
  socket.on('data', onData)
  socket.on('end', () => {
    const isComplete = answer.length > 0 && !reader.isMidway && (answer.at(-1)?.length ?? 0) < FULL_BODY_BYTES
    // A command that stops the server ends the connection.
    if (stage === 'command' && isComplete) finish()
    else fail('disconnected', 'the connection was closed')
  })
  socket.on('error', (error) =>
    stage === 'connecting'
      ? fail('unreachable', 'no connection', error)
      : fail('disconnected', 'the connection broke', error),
  )
  socket.on('close', () => fail('disconnected', 'the connection was closed'))
  return promise
}
