// RCON: owners' commands to their game servers, sent by a worker.
export { deleteCredential } from './credentials.sql.ts'
export { type RconCommandJob, rconCommand, rconUpkeep } from './rcon.jobs.ts'
export { rconOperations } from './rcon.operations.ts'
export { QUAKE3_GAMES, type RconProtocol, rconProtocolOf } from './rcon-protocols.ts'
export { createRconRunner, type SendRcon } from './runner.service.ts'
export { runRconUpkeep } from './upkeep.service.ts'
