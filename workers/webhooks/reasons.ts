// Texts of the delivery log: why an attempt failed, and the receiver's answer.
import { errors } from 'undici'
import { AddressError } from './guarded-connection.ts'

/** Valid UTF-8 without NUL, as PostgreSQL's text requires. Omits an incomplete character at the end. */
export function textOf(chunks: Buffer[]): string {
  if (!chunks.length) return ''
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '\uFFFD')
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'response headers too long',
  EPROTO: 'tls failed',
}

/** @param error with `errors` if several addresses were tried */
const causeOf = (error: Error & { errors?: unknown[] }) => error.errors?.[0] ?? error

/** Whether the address was refused, so that no connection was attempted. */
export const isAddressError = (error: Error): boolean => causeOf(error) instanceof AddressError

/** The error's own message may contain addresses. */
export function reasonFor(error: Error): string {
  const cause = causeOf(error)
  if (cause instanceof AddressError) return cause.message
  const code = String((cause as NodeJS.ErrnoException).code ?? '')
  if (REASONS[code]) return REASONS[code]
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return 'tls failed'
  if (cause instanceof errors.HTTPParserError) return 'malformed response'
  return 'request failed'
}
