// The blocks that a user has made: an administrator, or an owner who opted out.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const discoveryBlocks: PersonalData = {
  name: 'discoveryBlocks',
  columns: ['discovery_blocks.created_by'],
  read: ({ prisma }, createdBy, range) =>
    prisma.discoveryBlock.findMany({
      where: { createdBy },
      omit: { createdBy: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [discoveryBlocks]
