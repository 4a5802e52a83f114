// Removal of servers from the directory, with all that other features hold of them.
export { removeServer, removeServerAndNotify } from './server-removal.service.ts'
