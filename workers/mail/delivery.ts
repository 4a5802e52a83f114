// Where a mail goes: to the mail server of SMTP_URL or, without one, into a folder.
import fs from 'node:fs/promises'
import path from 'node:path'
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Log } from '../../src/platform/observability/log.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

/** @throws PermanentJobError when the mail is refused for good; any other error is worth a retry */
export type Deliver = (message: SendMailOptions, id: string) => Promise<void>

const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** @param url options of nodemailer may follow as its query: `?requireTLS=true` */
function createSmtpTransport(url: string) {
  const { username, hostname } = new URL(url)
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  // A password is not sent in clear because somebody in between took STARTTLS out of the server's answer.
  return createTransport({ ...TIMEOUTS, requireTLS: username !== '' && !isLoopback, url })
}

/** @param url as SMTP_URL */
export function createSmtpDelivery(url: string): Deliver {
  const transport = createSmtpTransport(url)
  return async (message) => {
    try {
      await transport.sendMail(message)
    } catch (error) {
      throw tellable(error as NodemailerError)
    }
  }
}

/**
 * Connects, checks the certificate and logs in, as for a mail, and sends none.
 * @throws Error whose message is the reason: neither the password nor the server's words
 */
export async function verifySmtp(url: string): Promise<void> {
  const transport = createSmtpTransport(url)
  try {
    await transport.verify()
  } catch (error) {
    throw new Error(summaryOf(error as NodemailerError), { cause: error })
  } finally {
    transport.close()
  }
}

/** The server's words and the error's fields name the recipient, which neither the log nor the queue may keep. */
function tellable(error: NodemailerError): Error {
  const { command, responseCode, permanent } = error
  const what = summaryOf(error)
  // What is said about the recipient or the message stays so. A refused sender, login or connection is the operator's to mend.
  const isFinal = permanent && responseCode !== 530 && (command === 'RCPT TO' || command === 'DATA')
  return isFinal ? new PermanentJobError(`mail refused: ${what}`) : new Error(`mail not sent: ${what}`)
}

const summaryOf = ({ code, originalCode, command, responseCode }: NodemailerError): string =>
  [originalCode ?? code, command, responseCode].filter(Boolean).join(' ')

/** Each mail is one file that only this user may read: it can hold a token. */
export function createFileDelivery(folder: string, log: Pick<Log, 'info'>): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async (message, id) => {
    const { message: bytes } = await transport.sendMail(message)
    // The folder above is entered by the database's user too, so only this one is private.
    await fs.mkdir(path.dirname(folder), { recursive: true })
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
    await fs.chmod(folder, 0o700)
    const file = path.join(folder, `${id}.eml`)
    // Under its name only when it is whole.
    await fs.writeFile(`${file}.part`, bytes, { mode: 0o600 })
    await fs.rename(`${file}.part`, file)
    log.info({ file }, 'mail written to a file: SMTP_URL is not set')
  }
}
