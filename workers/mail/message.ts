// Prepares a mail for the transport: its recipients, and content that can't inject headers.
import type { SendMailOptions } from 'nodemailer'
import { accentColors } from '../../src/features/appearance/index.ts'
import type { Mail } from '../../src/features/mail/index.ts'
import { escapeHtml } from '../../src/platform/http/escape-html.ts'
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

/** How the site looks, as its administrators set it. */
export interface MailLook {
  name: string
  accent: `#${string}` | null
  /** PNG. */
  logo: Buffer | undefined
}

/** Content id of the logo, which is attached because a mail loads nothing from elsewhere. */
const LOGO_ID = 'logo'

/**
 * @param options.from a sender with the product's name has the site's
 * @param options.id the job's id: equal for each attempt, so that receivers recognize duplicates
 * @throws PermanentJobError if the recipient is not a single address
 */
export function composeMessage(
  { to, replyTo, subject, text, edition, unsubscribeUrl }: Mail,
  { from, id, base, look }: { from: ReturnType<typeof parseSender>; id: string; base: string; look: MailLook },
): SendMailOptions {
  const recipients = typeof to === 'string' ? [to] : [...to]
  if (!recipients.length || !recipients.every((address) => MAILBOX.test(address)))
    throw new PermanentJobError('the recipient is not an e-mail address')
  if (replyTo && !MAILBOX.test(replyTo.address)) throw new PermanentJobError('the reply-to is not an e-mail address')
  return {
    from: from.name === PRODUCT_NAME ? { ...from, name: look.name } : from,
    to: recipients.map((address) => ({ name: '', address })),
    envelope: { from: from.address, to: recipients },
    ...(replyTo ? { replyTo: { name: oneLine(replyTo.name, MAX_NAME), address: replyTo.address } } : {}),
    subject: oneLine(subject, MAX_SUBJECT),
    text: `${text.trimEnd()}\n\n${look.name}\n${base}\n`,
    html: renderHtml(text, base, look),
    ...(look.logo && {
      attachments: [
        {
          cid: LOGO_ID,
          filename: 'logo.png',
          contentType: 'image/png',
          contentDisposition: 'inline',
          content: look.logo,
        },
      ],
    }),
    messageId: `<${edition === undefined ? id : `${id}.${edition}`}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
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

/** Addresses of this service become links; a mail's token is in one, so their text is the page without it. */
function renderLine(line: string, { base, style }: { base: string; style: string }): string {
  const pieces = line.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:])/)
  return pieces
    .map((piece) => {
      const isOwn = piece === base || piece.startsWith(`${base}/`)
      return isOwn
        ? `<a href="${escapeHtml(piece)}"${style}>${escapeHtml(piece.replace(/[#?].*$/, ''))}</a>`
        : escapeHtml(piece)
    })
    .join('')
}

function renderHtml(text: string, base: string, { name, accent, logo }: MailLook): string {
  const color = accent && accentColors(accent).light.accent
  const style = color ? ` style="color:${color}"` : ''
  const line = (content: string) => renderLine(content, { base, style })
  const picture = logo
    ? `<img src="cid:${LOGO_ID}" width="32" height="32" alt="" style="vertical-align:middle;margin-right:.5rem">`
    : ''
  const rule = color ? `border-bottom:3px solid ${color};` : ''
  const head =
    picture || rule ? `<p style="${rule}padding-bottom:.5rem">${picture}<b>${escapeHtml(name)}</b></p>\n` : ''
  const blocks = text.trim().split(/\n{2,}/)
  const parts = blocks.map((block) => {
    const lines = block.split('\n')
    const items = lines.filter((item) => item.startsWith('  - ')).map((item) => `<li>${line(item.slice(4))}</li>`)
    const rest = lines.filter((one) => !one.startsWith('  - ')).map(line)
    return `${rest.length ? `<p>${rest.join('<br>\n')}</p>` : ''}${items.length ? `<ul>${items.join('')}</ul>` : ''}`
  })
  return `<!doctype html>
<html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem;margin:1rem auto;padding:0 1rem">
${head}${parts.join('\n')}
<hr><p><a href="${escapeHtml(base)}"${style}>${escapeHtml(name)}</a></p>
</body></html>
`
}

/** Text without characters that would start a line or change the direction of writing. */
const oneLine = (text: string, max: number): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, max)
