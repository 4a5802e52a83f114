// Where a mail goes: to the mail server of SMTP_URL or, without one, into a folder.
import fs from 'node:fs/promises'
import path from 'node:path'
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Log } from '../../src/platform/observability/log.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

/**
 * @param signal ends the delivery: a slow server may take `socketTimeout` for each of its answers
 * @throws PermanentJobError if the mail is refused permanently; any other error is retried
 */
export type Deliver = (message: SendMailOptions, id: string, signal: AbortSignal) => Promise<void>

const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** @param url options of nodemailer may follow as its query: `?requireTLS=true` */
function createSmtpTransport(url: string) {
  const { username, hostname } = new URL(url)
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  // Refuses to send a password in plain text if STARTTLS was removed from the server's answer on the way.
  return createTransport({ ...TIMEOUTS, requireTLS: username !== '' && !isLoopback, url })
}

/** @param url as SMTP_URL */
export function createSmtpDelivery(url: string): Deliver {
  const transport = createSmtpTransport(url)
  return async (message, _id, signal) => {
    try {
      await transport.sendMail({ ...message, signal })
    } catch (error) {
      throw tellable(error as NodemailerError)
    }
  }
}

/**
 * Connects, checks the certificate and logs in, as for a mail, without sending one.
 * @throws Error with the reason, without the password and the server's text
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

/** The server's text and the error's fields contain the recipient, which neither the log nor the queue may store. */
function tellable(error: NodemailerError): Error {
  const { command, responseCode, permanent } = error
  const what = summaryOf(error)
  // A refused recipient or message is permanent. A refused sender, login or connection can be fixed by the operator.
  const isFinal = permanent && responseCode !== 530 && (command === 'RCPT TO' || command === 'DATA')
  return isFinal ? new PermanentJobError(`mail refused: ${what}`) : new Error(`mail not sent: ${what}`)
}

const summaryOf = ({ code, originalCode, command, responseCode }: NodemailerError): string =>
  [originalCode ?? code, command, responseCode].filter(Boolean).join(' ')

/** One file per mail, readable by this user only: it may contain a token. */
export function createFileDelivery(folder: string, log: Pick<Log, 'info'>): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return async (message, id) => {
    const { message: bytes } = await transport.sendMail(message)
    // The database's user enters the parent folder too, so only this one is private.
    await fs.mkdir(path.dirname(folder), { recursive: true })
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
    await fs.chmod(folder, 0o700)
    const file = path.join(folder, `${id}.eml`)
    // Renamed once it is complete.
    await fs.writeFile(`${file}.part`, bytes, { mode: 0o600 })
    await fs.rename(`${file}.part`, file)
    log.info({ file }, 'mail written to a file: SMTP_URL is not set')
  }
}
