// What API keys store about a user; of a key only its public half.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const apiKeys: PersonalData = {
  name: 'apiKeys',
  columns: ['api_keys.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.apiKey.findMany({
      where: { userId },
      omit: { userId: true, secretHash: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [apiKeys]
