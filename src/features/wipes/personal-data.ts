// The wipes that a user has reported.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const wipes: PersonalData = {
  name: 'wipes',
  columns: ['wipes.created_by'],
  read: ({ prisma }, createdBy, take) =>
    prisma.wipe.findMany({ where: { createdBy }, omit: { createdBy: true }, orderBy: { id: 'desc' }, take }),
}

export const personalData = [wipes]
