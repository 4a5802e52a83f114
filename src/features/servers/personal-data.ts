// The listings of an account, also removed ones.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const servers: PersonalData = {
  name: 'servers',
  columns: ['servers.owner_id'],
  read: ({ prisma }, ownerId, range) =>
    prisma.server.findMany({ where: { ownerId }, omit: { ownerId: true }, orderBy: { id: 'desc' }, ...range }),
}

export const personalData = [servers]
