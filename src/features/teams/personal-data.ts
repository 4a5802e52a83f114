// The teams that a user belongs to, those of their servers, and the invitations to both.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const memberships: PersonalData = {
  name: 'memberships',
  columns: ['server_members.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.serverMember.findMany({
      where: { userId },
      omit: { userId: true, ownerId: true },
      orderBy: [{ createdAt: 'desc' }, { serverId: 'desc' }],
      ...range,
    }),
}

const teamMembers: PersonalData = {
  name: 'teamMembers',
  columns: ['server_members.owner_id'],
  read: ({ prisma }, ownerId, range) =>
    prisma.serverMember.findMany({
      where: { ownerId },
      omit: { ownerId: true },
      orderBy: [{ createdAt: 'desc' }, { serverId: 'desc' }, { userId: 'desc' }],
      ...range,
    }),
}

/** Invitations by name, and by the address that the account has confirmed. */
const invitations: PersonalData = {
  name: 'invitations',
  columns: ['server_invitations.user_id'],
  async read({ prisma }, userId, range) {
    const user = await prisma.user.findUnique({ where: { id: userId }, select: { email: true, emailVerifiedAt: true } })
    const byAddress = user?.email && user.emailVerifiedAt ? [{ email: user.email }] : []
    return prisma.serverInvitation.findMany({
      where: { OR: [{ userId }, ...byAddress] },
      omit: { userId: true, ownerId: true, email: true },
      orderBy: { id: 'desc' },
      ...range,
    })
  },
}

const sentInvitations: PersonalData = {
  name: 'sentInvitations',
  columns: ['server_invitations.owner_id'],
  read: ({ prisma }, ownerId, range) =>
    prisma.serverInvitation.findMany({
      where: { ownerId },
      omit: { ownerId: true },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [memberships, teamMembers, invitations, sentInvitations]
