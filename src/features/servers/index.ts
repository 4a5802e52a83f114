// Servers: the listings of the directory, and their management by owners.
export { mayBeAsked } from './address.ts'
export { NewServer, type NewServerInput } from './listing-fields.ts'
export { serversOperations } from './management.operations.ts'
export { setHidden } from './management.sql.ts'
export { listedServer, managedServer, requireManaged, ServerIdParams } from './resources.ts'
export { jobs, ProbeResult, ServerProbe, serverProbe } from './servers.jobs.ts'
export { createServers, type Servers } from './servers.service.ts'
export { deleteServer, type ListedServer } from './servers.sql.ts'
