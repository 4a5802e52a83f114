// One command to one game server over Quake 3's UDP `rcon`, which FiveM and RedM have too, within a time limit.
import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import { MAX_ANSWER_BYTES, type RconExchange, RconFailure, type RconReason } from './exchange.ts'

const OUT_OF_BAND = Buffer.alloc(4, 0xff)
/** Followed by a line break or, from FiveM, by a space. */
const PRINT = Buffer.concat([OUT_OF_BAND, Buffer.from('print')])
const SEPARATORS = ['\n', ' ']
/**
 * Texts of Quake 3, Call of Duty and FiveM. Alone, because the answer to a command may begin with `Invalid password`.
 */
const REFUSED =
  /^(Bad rcon ?password|No rconpassword set|Invalid password\.?\s*$|The server must set rcon_password to be able)/

/**
 * Sent once, because a command must not run twice: a lost datagram is a `timeout`. The protocol does not mark the end
 * of an answer, so silence ends it. The socket is connected, so that it receives only from the server's own address and
 * port.
 * @throws RconFailure
 */
export function exchangeQuake3(options: RconExchange): Promise<string> {
  const { address, port, password, command, timeoutMs, quietMs = 1_000 } = options
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const answer: Buffer[] = []
  let bytes = 0
  let quiet: NodeJS.Timeout | undefined
  const socket = dgram.createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const limit = setTimeout(() => fail('timeout', 'no complete answer'), timeoutMs)

  function end(settle: () => void): void {
    clearTimeout(limit)
    clearTimeout(quiet)
    socket.removeAllListeners('message')
    socket.close()
    settle()
  }
  const fail = (reason: RconReason, message: string, cause?: unknown) =>
    end(() => reject(new RconFailure(reason, message, { cause, isUnsent: reason === 'unreachable' })))

  function finish(): void {
    const text = Buffer.concat(answer).toString('utf8')
    if (REFUSED.test(text)) fail('wrong_password', 'the password was refused')
    else end(() => resolve(text))
  }

  socket.on('message', (datagram) => {
    bytes += datagram.length
    const separator = datagram.toString('latin1', PRINT.length, PRINT.length + 1)
    if (!datagram.subarray(0, PRINT.length).equals(PRINT) || !SEPARATORS.includes(separator))
      return fail('protocol_error', 'not a print message')
    if (bytes > MAX_ANSWER_BYTES) return fail('answer_too_large', `more than ${MAX_ANSWER_BYTES} bytes`)
    answer.push(datagram.subarray(PRINT.length + separator.length))
    clearTimeout(quiet)
    quiet = setTimeout(finish, quietMs)
  })
  socket.once('error', (error) => fail('unreachable', 'no connection', error))
  const request = Buffer.concat([OUT_OF_BAND, Buffer.from(`rcon ${password} ${command}`)])
  // A connection that fails is not an 'error' of the socket: only this callback gets it.
  const sendOrFail = (error?: Error) => (error ? fail('unreachable', 'no connection', error) : socket.send(request))
  // A password ends at the first space; quotes would start another argument.
  if (/[\s"]/.test(password)) fail('wrong_password', 'not a Quake 3 password')
  else socket.connect(port, address, sendOrFail)
  return promise
}
