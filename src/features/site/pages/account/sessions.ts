// Parts of the profile: the user's sessions, each with a button that ends it, and the file with all stored data.
import { buttonForm, refusal, refusedOf } from '../../components/fields.ts'
import { html } from '../../components/html.ts'
import type { Locale } from '../../components/locale.ts'
import { ago, card, lines, notice, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import type { Shared } from './page.ts'

type Session = Schemas['Session']
interface Listed {
  sessions: Session[]
  pagination: Schemas['Pagination']
}
type AccountLocale = Locale<'account' | 'forms'>

export const sessionsCard = (locale: AccountLocale, sessions: Listed, { saved, refused, now }: Shared) => {
  const { sessions: texts } = locale.t.account
  const { total } = sessions.pagination
  return card(texts.title)`
    <p class="quiet">${texts.hint}</p>
    ${notice('good', saved === 'sessions' && texts.othersEnded)}
    ${notice('good', saved === 'session' && texts.ended)}
    ${refusal(locale, refusedOf(refused, 'sessions') ?? refusedOf(refused, 'session'))}
    ${lines(
      sessions.sessions.map((session) => sessionItem(locale, session, now)),
      '',
    )}
    ${total > sessions.sessions.length && html`<p class="quiet">${locale.say(texts.more, { n: total - sessions.sessions.length })}</p>`}
    <div class="row">
      ${buttonForm({ fields: {}, label: texts.logout, to: locale.href('/logout') })}
      ${total > 1 && buttonForm({ fields: { action: 'sessions' }, label: texts.endOthers })}
    </div>
  `
}

function sessionItem(locale: AccountLocale, session: Session, now: number) {
  const { sessions: texts } = locale.t.account
  const { id, country, createdAt, lastUsedAt, isCurrent } = session
  return html`
    <li class="row spread" key=${id}>
      <div>
        <b>${nameOf(locale, session)}</b> ${isCurrent && tag('good', texts.current)}
        <p class="hint">
          ${country && `${locale.country(country)} · `}${locale.say(texts.since, { date: locale.date(createdAt) })}${
            lastUsedAt && html` · ${texts.used} ${ago(locale, lastUsedAt, now)}`
          }
        </p>
      </div>
      ${!isCurrent && buttonForm({ fields: { action: 'session', id }, label: texts.end })}
    </li>
  `
}

function nameOf(locale: AccountLocale, { browser, system }: Session): string {
  const { sessions: texts } = locale.t.account
  return browser && system ? locale.say(texts.on, { browser, system }) : browser || system || texts.unknown
}

/** A link, because browsers save what it leads to. */
export const dataCard = ({ t: { account } }: AccountLocale) => card(account.data.title)`
  <p>${account.data.text}</p>
  <div><a class="button quiet-button" href="/api/user/data" download>${account.data.download}</a></div>
`
