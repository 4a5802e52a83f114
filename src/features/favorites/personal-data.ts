// What favorites store about a user.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const favorites: PersonalData = {
  name: 'favorites',
  columns: ['favorites.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.favorite.findMany({ where: { userId }, omit: { userId: true }, orderBy: { id: 'desc' }, ...range }),
}

export const personalData = [favorites]
