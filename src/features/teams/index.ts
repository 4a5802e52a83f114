// Teams: members of servers, invitations, and hand-overs to another owner.

export { findServersOfMember } from './audit-log.sql.ts'
export { personalData } from './personal-data.ts'
export { revokeTeamsOf } from './revocation.service.ts'
export { writeHandedOver, writeInvitation } from './teams.mails.ts'
export { teamsOperations } from './teams.operations.ts'
export { runTeamsUpkeep } from './upkeep.service.ts'
