// A Citus cluster on loopback, of PostgreSQL installations that have the extension.
import { runStatement } from './database.ts'
import { findPostgres, type InstalledPostgres, openInstalledPostgres } from './installed-postgres.ts'

/** @returns the folder of the programs; undefined, after printing it, if no PostgreSQL on this machine has Citus */
export function findCitus(): string | undefined {
  const programs = findPostgres([17, 16, 15], ['postgres', 'initdb'], 'citus')
  if (!programs) console.log('skipped: no PostgreSQL on this machine has the extension citus')
  return programs
}

export interface CitusCluster {
  coordinator: InstalledPostgres
  nodes: InstalledPostgres[]
  /** Starts another node and adds it. */
  addNode(): Promise<InstalledPostgres>
  remove(): Promise<void>
}

/** Starts a coordinator, which holds no shards, and nodes. */
export async function startCitus(programs: string, nodeCount: number): Promise<CitusCluster> {
  const started: InstalledPostgres[] = []
  const open = async () => {
    const server = await openInstalledPostgres(programs, {
      shared_preload_libraries: 'citus',
      wal_level: 'logical', // shards are created and moved by logical replication
      'citus.node_conninfo': 'sslmode=disable', // its certificate would be looked for in another user's home
      'citus.shard_count': '8',
    })
    started.push(server)
    await runStatement(server.url, 'create extension citus')
    return server
  }
  const coordinator = await open()
  await runStatement(coordinator.url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  const nodes: InstalledPostgres[] = []
  const addNode = async () => {
    const node = await open()
    await runStatement(coordinator.url, `select citus_add_node('127.0.0.1', ${node.port})`)
    nodes.push(node)
    return node
  }
  const remove = async () => {
    for (const server of started) await server.remove()
  }
  try {
    for (let n = 0; n < nodeCount; n++) await addNode()
  } catch (error) {
    await remove()
    throw error
  }
  return { coordinator, nodes, addNode, remove }
}
