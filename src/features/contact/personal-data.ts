// The messages from the contact form under a user's address, if it is verified: others can enter it too.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const contactMessages: PersonalData = {
  name: 'contactMessages',
  columns: [],
  async read({ prisma }, id, range) {
    const user = await prisma.user.findUnique({ where: { id }, select: { email: true, emailVerifiedAt: true } })
    if (!user?.email || !user.emailVerifiedAt) return []
    return prisma.contactMessage.findMany({
      where: { email: user.email },
      omit: { visitor: true, isSuspect: true },
      orderBy: { id: 'desc' },
      ...range,
    })
  },
}

export const personalData = [contactMessages]
