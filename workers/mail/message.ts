// Prepares a mail for the transport: its recipients, and content that can't inject headers.
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../../src/features/mail/index.ts'
import { PRODUCT_NAME } from '../../src/platform/product.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

/** @param setting MAIL_FROM: `Name <address>`, or only an address */
export function parseSender(setting: string) {
  const [, name = '', address = setting] = /^(.*)<(.*)>$/u.exec(setting) ?? []
  return { name: name.trim(), address }
}

/** A single mailbox: no list, group, comment or line break. */
const MAILBOX = /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]{1,255}$/u
const MAX_SUBJECT = 200
const MAX_NAME = 100

/**
 * @param id the job's id: equal for each attempt, so that receivers recognize duplicates
 * @throws PermanentJobError if the recipient is not a single address
 */
export function composeMessage(
  { to, replyTo, subject, text, unsubscribeUrl }: Mail,
  { from, id, base }: { from: ReturnType<typeof parseSender>; id: string; base: string },
): SendMailOptions {
  const recipients = typeof to === 'string' ? [to] : [...to]
  if (!recipients.length || !recipients.every((address) => MAILBOX.test(address)))
    throw new PermanentJobError('the recipient is not an e-mail address')
  if (replyTo && !MAILBOX.test(replyTo.address)) throw new PermanentJobError('the reply-to is not an e-mail address')
  return {
    from,
    to: recipients.map((address) => ({ name: '', address })),
    envelope: { from: from.address, to: recipients },
    ...(replyTo ? { replyTo: { name: oneLine(replyTo.name, MAX_NAME), address: replyTo.address } } : {}),
    subject: oneLine(subject, MAX_SUBJECT),
    text: `${text.trimEnd()}\n\n${PRODUCT_NAME}\n${base}\n`,
    html: renderHtml(text, base),
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // RFC 3834: no automatic reply is wanted.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** Addresses of this service become links; a mail's token is in one, so their text is the page without it. */
function renderLine(line: string, base: string): string {
  const pieces = line.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:])/)
  return pieces
    .map((piece) => {
      const isOwn = piece === base || piece.startsWith(`${base}/`)
      return isOwn
        ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece.replace(/[#?].*$/, ''))}</a>`
        : escapeHtml(piece)
    })
    .join('')
}

function renderHtml(text: string, base: string): string {
  const blocks = text.trim().split(/\n{2,}/)
  const parts = blocks.map((block) => {
    const lines = block.split('\n')
    const items = lines
      .filter((line) => line.startsWith('  - '))
      .map((line) => `<li>${renderLine(line.slice(4), base)}</li>`)
    const rest = lines.filter((line) => !line.startsWith('  - ')).map((line) => renderLine(line, base))
    return `${rest.length ? `<p>${rest.join('<br>\n')}</p>` : ''}${items.length ? `<ul>${items.join('')}</ul>` : ''}`
  })
  return `<!doctype html>
<html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem;margin:1rem auto;padding:0 1rem">
${parts.join('\n')}
<hr><p><a href="${escapeHtml(base)}">${PRODUCT_NAME}</a></p>
</body></html>
`
}

/** Text without characters that would start a line or change the direction of writing. */
const oneLine = (text: string, max: number): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, max)
