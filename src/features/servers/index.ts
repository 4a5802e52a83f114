// Servers: the listings of the directory, and their management by owners.
export { mayBeAsked } from './address.ts'
export { serversOperations } from './management.operations.ts'
export { setHidden } from './management.sql.ts'
export { lockManaged } from './ownership.ts'
export { listedServer, managedServer, ServerIdParams } from './resources.ts'
export { NewServer, type NewServerInput } from './servers.schema.ts'
export { createServers, type Servers } from './servers.service.ts'
export { deleteServer, type ListedServer } from './servers.sql.ts'
