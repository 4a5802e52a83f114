// Reminders by mail of a user. Those by push belong to a browser and name no account.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const voteReminders: PersonalData = {
  name: 'voteReminders',
  columns: ['vote_reminders.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.voteReminder.findMany({
      where: { userId },
      omit: { id: true, userId: true, subscription: true },
      orderBy: [{ dueAt: 'desc' }, { id: 'desc' }],
      ...range,
    }),
}

export const personalData = [voteReminders]
