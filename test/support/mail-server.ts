// A real SMTP server on a port of this machine that collects the mails it receives.
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  headers: Map<string, string>
  /** The text, decoded from quoted-printable. */
  text: string
  html: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
}

/** Accepts every mail unless the hooks refuse. Closes with the test. */
export async function startMailServer(options: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const { port = 0, ...hooks } = options
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...parse(Buffer.concat(chunks).toString()),
        })
        done()
      })
    },
    ...hooks,
  })
  server.on('error', () => undefined) // the client disconnected
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  if (typeof address === 'string' || !address) throw new Error('the mail server has no port')
  return { url: `smtp://127.0.0.1:${address.port}`, received }
}

export function parse(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [head = '', ...rest] = source.replaceAll('\r\n', '\n').split('\n\n')
  const headers = parseHeaders(head)
  const boundary = /^multipart\/alternative; *boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const body = rest.join('\n\n')
  if (!boundary) return { headers, text: decode(headers, body), html: '' }
  const parts = body.split(`--${boundary}`).map((part) => {
    const [partHead = '', ...partRest] = part.trimStart().split('\n\n')
    const partHeaders = parseHeaders(partHead)
    const content = decode(partHeaders, partRest.join('\n\n')).trimEnd()
    return { type: partHeaders.get('content-type') ?? '', content }
  })
  const contentOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? ''
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') }
}

function parseHeaders(head: string): Map<string, string> {
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]+: ?/, '')]),
  )
  if (headers.size !== lines.length) throw new Error(`a header occurs twice:\n${head}`)
  return headers
}

function decode(headers: Map<string, string>, body: string): string {
  if (headers.get('content-transfer-encoding') !== 'quoted-printable') return body
  return body
    .replace(/=\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
}
