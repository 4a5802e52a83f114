// What RCON stores about an owner, without passwords.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const rcon: PersonalData = {
  name: 'rcon',
  columns: ['rcon_credentials.owner_id'],
  read: ({ prisma }, ownerId, range) =>
    prisma.rconCredential.findMany({
      where: { ownerId },
      omit: { ownerId: true, password: true },
      orderBy: [{ createdAt: 'desc' }, { serverId: 'desc' }],
      ...range,
    }),
}

export const personalData = [rcon]
