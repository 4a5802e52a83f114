// A game server's vote receiver, written from the description of the Votifier protocols 1 and 2, not from our sender.
import { constants, createHmac, generateKeyPairSync, privateDecrypt, randomBytes, timingSafeEqual } from 'node:crypto'
import net, { type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ReceivedVote {
  protocol: 1 | 2
  serviceName: string
  username: string
  address: string
  /** As received: milliseconds in protocol 2, the sender's text in protocol 1. */
  timestamp: string
  /** What plugins get from `Vote.getAdditionalData`, as text; protocol 2 only. */
  additionalData?: string
  at: number
}

export interface VotifierReceiver {
  port: number
  /** The token of `default` in its configuration. */
  token: string
  /** What its `public.key` contains: base64 of the X.509 encoding. */
  publicKey: string
  /** Accepted votes. */
  votes: ReceivedVote[]
  /** What made it refuse or drop connections. */
  refusals: string[]
  /** Connections so far, and the most at the same time. */
  connections: { total: number; mostAtOnce: number }
  close(): Promise<void>
}

export interface VotifierOptions {
  port?: number
  /** By default `VOTIFIER 2 <challenge>`, or `VOTIFIER 1.9` with `protocol: 1`. */
  protocol?: 1 | 2
  /** Tokens by service name, besides `default`. */
  tokens?: Record<string, string>
  token?: string
  keys?: VotifierKeys
  /**
   * What happens once a vote was received: `accept` by default. `hang` and `drop` accept it too, but do not answer.
   * `reject` says that it does not take this vote.
   */
  reaction?: (vote: ReceivedVote) => 'accept' | 'hang' | 'drop' | 'reject'
}

const MAGIC = 0x733a
const BLOCK_BYTES = 256
const MAX_USERNAME_LENGTH = 16
const WRONG_KEY = 'not able to decrypt the vote: is the public key right?'

export type VotifierKeys = ReturnType<typeof createVotifierKeys>
export const createVotifierKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startVotifierReceiver(options: VotifierOptions = {}): Promise<VotifierReceiver> {
  const { protocol = 2, tokens = {}, token = randomBytes(16).toString('hex'), reaction = () => 'accept' } = options
  const { publicKey, privateKey } = options.keys ?? createVotifierKeys()
  const votes: ReceivedVote[] = []
  const refusals: string[] = []
  const connections = { total: 0, mostAtOnce: 0 }
  let open = 0

  /** @returns undefined while more bytes are needed. @throws Error with the cause of a refusal */
  function read(bytes: Buffer, challenge: string): ReceivedVote | undefined {
    if (bytes.length < 2) return undefined
    if (protocol === 2 && bytes.readUInt16BE(0) === MAGIC) {
      if (bytes.length < 4) return undefined
      const length = bytes.readUInt16BE(2)
      if (bytes.length < 4 + length) return undefined
      if (bytes.length > 4 + length) throw new Error('CorruptedFrameException: bytes after the message')
      return readMessage(bytes.subarray(4).toString('utf8'), challenge)
    }
    if (bytes.length < BLOCK_BYTES) return undefined
    if (bytes.length > BLOCK_BYTES) throw new Error('the block is too long')
    return readBlock(bytes)
  }

  function readMessage(text: string, challenge: string): ReceivedVote {
    const { payload, signature } = JSON.parse(text) as { payload: string; signature: string }
    const vote = JSON.parse(payload) as Record<string, unknown>
    const { serviceName, username, address, timestamp, additionalData } = vote
    if (typeof serviceName !== 'string' || typeof username !== 'string' || typeof address !== 'string')
      throw new Error('JSONException: a field is missing or is no text')
    if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp)) throw new Error('JSONException: timestamp')
    const expected = createHmac('sha256', tokens[serviceName] ?? token)
      .update(payload, 'utf8')
      .digest()
    const given = Buffer.from(signature, 'base64')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new Error('CorruptedFrameException: Signature is not valid (invalid token?)')
    if (vote.challenge !== challenge) throw new Error('CorruptedFrameException: Challenge is not valid')
    if (username.length > MAX_USERNAME_LENGTH) throw new Error('CorruptedFrameException: Username too long')
    const received = {
      protocol: 2 as const,
      serviceName,
      username,
      address,
      timestamp: String(timestamp),
      at: Date.now(),
    }
    return typeof additionalData === 'string'
      ? { ...received, additionalData: Buffer.from(additionalData, 'base64').toString() }
      : received
  }

  /**
   * A block that was encrypted for another key is larger than this key's modulus now and then, which is
   * an error of its own.
   */
  function decrypt(block: Buffer): string {
    try {
      return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, block).toString('utf8')
    } catch (cause) {
      throw new Error(WRONG_KEY, { cause })
    }
  }

  function readBlock(block: Buffer): ReceivedVote {
    const [opcode, serviceName = '', username = '', address = '', timestamp = ''] = decrypt(block).split('\n')
    if (opcode !== 'VOTE') throw new Error(WRONG_KEY)
    return { protocol: 1, serviceName, username, address, timestamp, at: Date.now() }
  }

  function serve(socket: Socket): void {
    connections.total++
    connections.mostAtOnce = Math.max(connections.mostAtOnce, ++open)
    const challenge = randomBytes(12).toString('base64url')
    let bytes = Buffer.alloc(0)
    let isDone = false
    const answer = (reply: object) => (protocol === 2 ? socket.end(`${JSON.stringify(reply)}\r\n`) : socket.end())
    socket.once('close', () => open--)
    socket.once('end', () => socket.end())
    socket.write(protocol === 2 ? `VOTIFIER 2 ${challenge}\n` : 'VOTIFIER 1.9\n')
    socket.on('data', (chunk: Buffer) => {
      if (isDone) return
      bytes = Buffer.concat([bytes, chunk])
      try {
        const vote = read(bytes, challenge)
        if (!vote) return
        isDone = true
        const then = reaction(vote)
        if (then === 'reject') throw new Error('IllegalStateException: not taken by the plugin')
        votes.push(vote)
        if (then === 'drop') socket.destroy()
        else if (then === 'accept' && vote.protocol === 1) socket.end()
        else if (then === 'accept') answer({ status: 'ok' })
      } catch (error) {
        isDone = true
        const [cause, message = cause] = (error as Error).message.split(': ')
        refusals.push((error as Error).message)
        answer({ status: 'error', cause, error: message })
      }
    })
  }

  const { port, close } = await listenTcp(serve, options.port)
  return {
    port,
    token,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    votes,
    refusals,
    connections,
    close,
  }
}

/** @returns the port of a TCP server on this machine; it ends with the test */
export async function listenTcp(
  serve: (socket: Socket) => void,
  port = 0,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
    return closed
  }
  onTestFinished(close)
  return { port: (server.address() as AddressInfo).port, close }
}
