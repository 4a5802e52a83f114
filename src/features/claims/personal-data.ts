// What claims store about a user.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const claims: PersonalData = {
  name: 'claims',
  columns: ['server_claims.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.serverClaim.findMany({
      where: { userId },
      omit: { userId: true, warnedUserId: true, stopTokenHash: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [claims]
