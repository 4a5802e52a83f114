// The reports of a user, without the notes of those who decide them.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const reports: PersonalData = {
  name: 'reports',
  columns: ['reports.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.report.findMany({
      where: { userId },
      omit: { userId: true, note: true, signal: true, numbers: true, selection: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [reports]
