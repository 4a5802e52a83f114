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
  read: ({ prisma }, userId, take) =>
    prisma.session.findMany({
      where: { userId },
      omit: { tokenHash: true, userId: true },
      orderBy: { createdAt: 'desc' },
      take,
    }),
}

export const personalData = [account, sessions]
