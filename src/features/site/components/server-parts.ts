// Parts of a server on several pages: its link, address, players and marks.
import { slugOf } from '../../../platform/slug.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Row } from './types.ts'

/** As many hex digits of the id's end as `slotOfShort` looks a server up by. */
const SHORT_ID_LENGTH = 12

/** The address of a server's page that search engines keep; that of an earlier name, or of the id alone, leads to it. */
export const serverPath = ({ id, name }: Pick<Row, 'id' | 'name'>) =>
  `/servers/${slugOf(name) || 'server'}-${id.slice(-SHORT_ID_LENGTH)}`

/** Of fixed width, so that nothing moves when the numbers do. */
export function playersBar(
  locale: Locale<never>,
  { currentPlayers, maxPlayers, isOnline }: Pick<Row, 'currentPlayers' | 'maxPlayers' | 'isOnline'>,
) {
  const { common } = locale.t
  if (!isOnline) return html`<span class="players is-offline"><span class="dot"></span>${common.offline}</span>`
  const label = locale.say(common.playersOf, { now: currentPlayers, n: maxPlayers })
  return html`
    <span class="players" title=${label}>
      <span class="visually-hidden">${label}</span>
      <span class="count" aria-hidden="true"><b>${locale.number(currentPlayers)}</b><span class="quiet">/${locale.number(maxPlayers)}</span></span>
      ${gauge(maxPlayers > 0 ? Math.min(currentPlayers / maxPlayers, 1) : 0)}
    </span>
  `
}

/** @param share 0 to 1 */
export const gauge = (share: number) => html`
  <svg class="gauge ${share >= 0.95 ? 'is-full' : ''}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="gauge-all" width="100" height="6" /><rect class="gauge-now" width=${Math.round(share * 100)} height="6" />
  </svg>
`

/** Its script is browser/copy.ts; without it the address can be selected. */
export const copyButton = (locale: Locale<never>, text: string) => html`
  <button class="copy" type="button" data-copy=${text}>
    <code>${text}</code><span class="copy-word">${locale.t.common.copy}</span>
  </button>
`

export const verifiedMark = (label: string) => html`
  <svg class="verified" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label=${label}><title>${label}</title><path d="M8 .8l1.9 1.5 2.4-.1.7 2.3 2 1.4-.9 2.2.9 2.2-2 1.4-.7 2.3-2.4-.1L8 15.4l-1.9-1.5-2.4.1-.7-2.3-2-1.4.9-2.2-.9-2.2 2-1.4.7-2.3 2.4.1z" fill="currentColor"/><path d="M5 8.2l2.1 2.1L11.2 6" fill="none" stroke="var(--ground)" stroke-width="1.6"/></svg>
`
