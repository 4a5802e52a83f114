// What claims store about a user.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const claims: PersonalData = {
  name: 'claims',
  columns: ['server_claims.user_id'],
  read: ({ prisma }, userId, take) =>
    prisma.serverClaim.findMany({
      where: { userId },
      omit: { userId: true, warnedUserId: true, stopTokenHash: true },
      orderBy: { id: 'desc' },
      take,
    }),
}

export const personalData = [claims]
