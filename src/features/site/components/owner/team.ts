// The team of a server: its members, invitations, and the changes that the owner or a member may make.
import { buttonForm, choice, field, form, refusal, refusedOf } from '../fields.ts'
import { confirmButton, savedNotice } from '../forms.ts'
import { html } from '../html.ts'
import { card, lines, tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { mayOn, type OwnerLocale, type OwnerTabData } from './frame.ts'
import { type TeamLog, teamLogCard } from './team-log.ts'

type Member = Schemas['ServerMember']

export interface TeamData extends OwnerTabData {
  members: readonly Member[]
  invitations: readonly Schemas['SentInvitation'][]
  /** The visitor's account. */
  ownId: string
  /** Undefined for viewers. */
  log: TeamLog | undefined
}

/** The choices of the invitation's form, as the API takes them. */
export const OFFERED = {
  viewer: { role: 'viewer', mayUseRcon: false },
  manager: { role: 'manager', mayUseRcon: false },
  managerWithRcon: { role: 'manager', mayUseRcon: true },
} as const
type Offered = keyof typeof OFFERED

export const roleTags = (locale: OwnerLocale, { role, mayUseRcon }: Pick<Member, 'role' | 'mayUseRcon'>) => {
  const { team: texts } = locale.t.owner
  return [tag('', texts.roles[role]), role === 'manager' && mayUseRcon && [' ', tag('', texts.rcon)]]
}

export function teamView(locale: OwnerLocale, data: TeamData) {
  const { team: texts } = locale.t.owner
  const { server, members, invitations, refused } = data
  const isManaged = mayOn(server, 'own')
  return [
    card(texts.title)`
      <p class="quiet">${texts.lead}</p>
      ${savedNotice(locale, data.saved)} ${refusal(locale, refused?.form.action === 'invite' ? undefined : refused)}
      ${lines(
        members.map((member) => memberLine(locale, member, data)),
        '',
      )}
      <p class="hint">${isManaged ? texts.secretsHint : texts.ownersHint}</p>
    `,
    server.role === 'owner' && inviteCard(locale, data),
    isManaged &&
      card(texts.open)`
        ${lines(
          invitations.map(
            (invitation) => html`
              <li class="row spread" key=${invitation.id}>
                <div class="grow">
                  <b dir="auto">${invitation.username ?? invitation.email}</b> ${invitation.role === 'owner' ? tag('warn', texts.handover) : roleTags(locale, invitation)}
                  <p class="hint">${locale.say(texts.until, { date: locale.date(invitation.expiresAt) })}</p>
                </div>
                ${buttonForm({ fields: { action: 'withdraw', invitationId: invitation.id }, label: html`${texts.withdraw}<span class="visually-hidden"> ${invitation.username ?? invitation.email}</span>` })}
              </li>
            `,
          ),
          texts.noneOpen,
        )}
      `,
    data.log && teamLogCard(locale, server.id, data.log),
  ]
}

function memberLine(locale: OwnerLocale, member: Member, { server, ownId }: TeamData) {
  const { team: texts } = locale.t.owner
  const { userId, username, role, mayUseRcon, joinedAt } = member
  const isSelf = userId === ownId
  const change = (fields: Record<string, string>, label: string) =>
    buttonForm({
      fields: { action: 'change', userId, ...fields },
      label: html`${label}<span class="visually-hidden"> ${username}</span>`,
    })
  return html`
    <li class="stack" key=${userId}>
      <div class="row spread">
        <div class="grow"><b dir="auto">${username}</b> ${roleTags(locale, member)}</div>
        ${joinedAt && html`<span class="hint">${locale.say(texts.since, { date: locale.date(joinedAt) })}</span>`}
      </div>
      ${
        role !== 'owner' &&
        mayOn(server, 'own') &&
        html`<div class="row">
          ${role === 'manager' ? change({ role: 'viewer' }, texts.makeViewer) : change({ role: 'manager' }, texts.makeManager)}
          ${role === 'manager' && change({ mayUseRcon: String(!mayUseRcon) }, mayUseRcon ? texts.denyRcon : texts.allowRcon)}
          ${confirmButton({ fields: { action: 'remove', userId }, label: texts.remove, warning: texts.removeWarning, confirm: texts.remove })}
          ${server.role === 'owner' && confirmButton({ fields: { action: 'offer', userId }, label: texts.offer, warning: texts.offerWarning, confirm: texts.offerConfirm })}
        </div>`
      }
      ${
        role !== 'owner' &&
        isSelf &&
        confirmButton({
          fields: { action: 'leave', userId },
          label: texts.leave,
          warning: texts.leaveWarning,
          confirm: texts.leave,
        })
      }
    </li>
  `
}

function inviteCard(locale: OwnerLocale, { refused }: TeamData) {
  const { team: texts } = locale.t.owner
  const ofInvite = refusedOf(refused, 'invite')
  return card(texts.invite)`
    <p class="quiet">${texts.inviteLead}</p>
    ${refusal(locale, ofInvite)}
    ${form(texts.send, { action: 'invite' })`
      ${field({ name: 'username', label: texts.to, hint: texts.toHint, refused: ofInvite, required: true, maxlength: 254, autocomplete: 'off' })}
      ${choice({ name: 'offered', label: texts.role, value: 'viewer', refused: ofInvite, options: (Object.keys(OFFERED) as Offered[]).map((one) => [one, texts.offers[one]]) })}
    `}
  `
}

/** Invitations that wait for the visitor's answer, above their servers. */
export const receivedCard = (locale: OwnerLocale, invitations: readonly Schemas['ReceivedInvitation'][]) => {
  const { team: texts } = locale.t.owner
  return (
    invitations.length > 0 &&
    card(texts.received)`
      ${lines(
        invitations.map(
          ({ id, role, mayUseRcon, serverName, invitedBy, expiresAt }) => html`
            <li class="stack" key=${id}>
              <div>
                <b dir="auto">${serverName}</b> ${role === 'owner' ? tag('warn', texts.handover) : roleTags(locale, { role, mayUseRcon })}
                <p>${texts.means[role]}</p>
                <p class="hint">${locale.say(texts.from, { name: invitedBy, date: locale.date(expiresAt) })}</p>
              </div>
              <div class="row">
                ${
                  role === 'owner'
                    ? confirmButton({
                        fields: { action: 'accept', id },
                        label: texts.accept,
                        warning: texts.acceptWarning,
                        confirm: texts.acceptConfirm,
                        asks: html`
                          <label class="checkbox"><input type="checkbox" name="keepSecrets" value="true" /> ${texts.keepSecrets}</label>
                          <label class="checkbox"><input type="checkbox" name="keepTeam" value="true" /> ${texts.keepTeam}</label>
                        `,
                      })
                    : buttonForm({ fields: { action: 'accept', id }, label: texts.accept, look: '' })
                }
                ${buttonForm({ fields: { action: 'decline', id }, label: texts.decline })}
              </div>
            </li>
          `,
        ),
        '',
      )}
    `
  )
}
