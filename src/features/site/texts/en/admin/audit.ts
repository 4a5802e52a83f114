// The audit log.
export const audit = {
  deletedActor: 'deleted account',
  actor: 'Actor',
  actorId: 'Actor (account id)',
  target: 'Target',
  targetId: 'Target (id)',
  action: 'Action',
  time: 'Time',
  details: 'Details',
}
