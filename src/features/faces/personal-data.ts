// The pictures that a user has uploaded and that wait to be encoded, and those that they locked.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const pictures: PersonalData = {
  name: 'pictures',
  columns: ['server_faces.uploaded_by', 'server_faces.locked_by'],
  read: ({ prisma }, userId, range) =>
    prisma.serverFace.findMany({
      where: { OR: [{ uploadedBy: userId }, { lockedBy: userId }] },
      select: { serverId: true, kind: true, state: true, source: true, reason: true, lockedAt: true, updatedAt: true },
      orderBy: [{ updatedAt: 'desc' }, { serverId: 'desc' }, { kind: 'desc' }],
      ...range,
    }),
}

export const personalData = [pictures]
