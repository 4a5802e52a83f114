// What the audit log says of a user: what they did, and what others did to the account, without who it was. What an
// entry about another account, a server or a report names can be other people's.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const auditLog: PersonalData = {
  name: 'auditLog',
  columns: ['audit_log.actor_id'],
  async read({ prisma }, userId, range) {
    const entries = await prisma.auditEntry.findMany({
      where: { OR: [{ actorId: userId }, { targetType: 'user', targetId: userId }] },
      orderBy: { id: 'desc' },
      ...range,
    })
    return entries.map(({ id, at, action, actorId, targetType, targetId, details }) => ({
      id,
      at,
      action,
      isByYou: actorId === userId,
      ...(targetType === 'user' && targetId === userId ? { details } : {}),
    }))
  },
}

export const personalData = [auditLog]
