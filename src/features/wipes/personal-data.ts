// The wipes that a user has reported.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const wipes: PersonalData = {
  name: 'wipes',
  columns: ['wipes.created_by'],
  read: ({ prisma }, createdBy, range) =>
    prisma.wipe.findMany({ where: { createdBy }, omit: { createdBy: true }, orderBy: { id: 'desc' }, ...range }),
}

export const personalData = [wipes]
