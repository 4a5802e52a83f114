// Where the events of a user's servers go, without addresses and secrets: those of chat platforms are passwords.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const webhookEndpoints: PersonalData = {
  name: 'webhookEndpoints',
  columns: [],
  read: ({ prisma }, ownerId, range) =>
    prisma.endpoint.findMany({
      where: { server: { ownerId } },
      select: {
        id: true,
        serverId: true,
        kind: true,
        events: true,
        disabledAt: true,
        disabledReason: true,
        createdAt: true,
      },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [webhookEndpoints]
