// The mails of teams, in English and German: the recipient may have no account, whose language would be known.
import type { Deps } from '../../deps.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Mail } from '../mail/index.ts'
import { serverLink } from '../servers/index.ts'
import { findInvitationMail } from './invitations.sql.ts'
import { findFormerOwner } from './teams.sql.ts'

type MailDeps = Pick<Deps, 'pool'> & { settings: Pick<ProcessSettings, 'PUBLIC_BASE_URL'> }

const PURPOSES = {
  owner: {
    en: (server: string) => `the server "${server}" is offered to you: it becomes yours when you accept`,
    de: (server: string) => `der Server „${server}“ wird dir angeboten: Er gehört dir, sobald du annimmst`,
  },
  manager: {
    en: (server: string) => `you are invited to manage the server "${server}"`,
    de: (server: string) => `du bist eingeladen, den Server „${server}“ mit zu verwalten`,
  },
  viewer: {
    en: (server: string) => `you are invited to see the votes and numbers of the server "${server}"`,
    de: (server: string) => `du bist eingeladen, die Stimmen und Zahlen des Servers „${server}“ zu sehen`,
  },
} as const

/**
 * The mail of kind `server-invitation`. Of what users typed it has the server's name only, since the address can be
 * that of a person who knows nothing of this directory.
 * @returns undefined if the invitation no longer counts, or its recipient has no verified address
 */
export async function writeInvitation(
  { pool, settings }: MailDeps,
  { invitationId }: { invitationId: string },
): Promise<Mail | undefined> {
  const invitation = await findInvitationMail(pool, invitationId)
  if (!invitation) return undefined
  const { to, role, serverName, expiresAt, isByAddress } = invitation
  const { en, de } = PURPOSES[role]
  const base = settings.PUBLIC_BASE_URL
  const until = expiresAt.toISOString().slice(0, 10)
  return {
    to,
    subject: role === 'owner' ? `The server ${serverName} is offered to you` : `Invitation to the server ${serverName}`,
    text: [
      'Hello,',
      `on ${base} ${en(serverName)}.`,
      `Accept or decline until ${until}${isByAddress ? ', logged in to an account with this confirmed address' : ''}:`,
      `${base}/my/servers`,
      'If you do not know what this is about, do nothing: without your consent nothing happens.',
      'Hallo,',
      `auf ${base}: ${de(serverName)}.`,
      `Nimm bis ${until} an oder lehne ab${isByAddress ? ', angemeldet bei einem Konto mit dieser bestätigten Adresse' : ''}:`,
      `${base}/my/servers?lang=de`,
      'Wenn dir das nichts sagt, tu nichts: Ohne deine Zustimmung geschieht nichts.',
    ].join('\n\n'),
  }
}

/** The mail of kind `server-handed-over`, to the former owner. @returns undefined if there is no recipient */
export async function writeHandedOver(
  { pool, settings }: MailDeps,
  { userId, serverId }: { userId: string; serverId: string },
): Promise<Mail | undefined> {
  const former = await findFormerOwner(pool, serverId, userId)
  if (!former) return undefined
  const { email, serverName, ownerName } = former
  return {
    to: email,
    subject: `The server ${serverName} was handed over`,
    text: [
      'Hello,',
      `${ownerName} has accepted your offer: the server "${serverName}" belongs to them now.`,
      'If you did not offer it, another person had access to your account: set a new password, then claim the server again.',
      'Hallo,',
      `${ownerName} hat dein Angebot angenommen: Der Server „${serverName}“ gehört jetzt diesem Konto.`,
      'Wenn du ihn nicht angeboten hast, hatte jemand Zugang zu deinem Konto: Setze ein neues Passwort und beanspruche den Server wieder.',
      serverLink(settings.PUBLIC_BASE_URL, serverId),
    ].join('\n\n'),
  }
}
