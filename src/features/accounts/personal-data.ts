// What accounts store about a user.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const account: PersonalData = {
  name: 'account',
  columns: ['users.id'],
  read: ({ prisma }, id) => prisma.user.findMany({ where: { id }, omit: { passwordHash: true } }),
}

const sessions: PersonalData = {
  name: 'sessions',
  columns: ['sessions.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.session.findMany({
      where: { userId },
      omit: { tokenHash: true, userId: true },
      orderBy: [{ createdAt: 'desc' }, { publicId: 'desc' }],
      ...range,
    }),
}

/** Names and times only: what an authenticator proves is no one's to read. */
const passkeys: PersonalData = {
  name: 'passkeys',
  columns: ['passkeys.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.passkey.findMany({
      where: { userId },
      select: { id: true, name: true, createdAt: true, lastUsedAt: true, disabledAt: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

const oneTimeCodes: PersonalData = {
  name: 'oneTimeCodes',
  columns: ['one_time_code_secrets.user_id'],
  read: ({ prisma }, userId) =>
    prisma.oneTimeCodeSecret.findMany({ where: { userId }, select: { createdAt: true, confirmedAt: true } }),
}

export const personalData = [account, sessions, passkeys, oneTimeCodes]
