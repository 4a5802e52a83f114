// Standings: the servers with the most votes in a month, and a server's best places.
export { standingsOperations } from './standings.operations.ts'
export { findMonthsWithStandings } from './standings.sql.ts'
