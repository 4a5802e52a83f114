// A highly available PostgreSQL of the system's packages: three Patroni members that replicate synchronously, etcd, and
// haproxy, which leads to the leader.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'yaml'
import { freePort } from '../../../commands/start/ports.ts'
import { databaseUser } from '../../../commands/start/postgres-cluster.ts'
import { temporaryFolder } from '../../commands/support/start-launcher.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { findProgram } from '../../support/installed.ts'
import { findPostgres } from '../../support/installed-postgres.ts'
import { type Link, openLink } from './gate.ts'
import { signalAll } from './postgres.ts'

export const PATRONI_PROGRAMS = ['patroni', 'etcd', 'haproxy'] as const
export const PATRONI_VERSIONS = [18, 17, 16, 15]

/** Patroni's least. A leader that does not answer is replaced after this time. */
export const LEADER_EXPIRES_AFTER_SECONDS = 20

/** Much shorter than the lease. */
const PAUSE_MS = 4_000
/** Before the lease expires, as Patroni sets a watchdog. */
const WATCHDOG_AFTER_MS = (LEADER_EXPIRES_AFTER_SECONDS - 5) * 1_000

export interface PatroniCluster {
  /** Of the database `postgres` of the leader, through haproxy. */
  url: string
  /** Kills all processes of the leader's member, and starts it again once another leads. */
  killLeader(): Promise<void>
  /** Freezes all processes of the leader's member for a time that no other member notices. */
  pauseLeader(): Promise<void>
  /**
   * Freezes all processes of the leader's member until its lease expires, then kills them as a watchdog resets the
   * machine, and starts it again once another leads. A leader without a watchdog that continues instead may take the
   * lease back, and then Patroni discards what the new leader has answered (docs/decisions/0039-failover.md).
   */
  freezeLeader(): Promise<void>
  /**
   * Separates the leader's machine from etcd and from the other members, but not from clients, until another leads and
   * this one has stopped. What both hold differs then, and the separated member follows the new leader again.
   */
  partitionLeader(): Promise<void>
  /** Lets another member lead, as an operator does before an update. */
  switchOver(): Promise<void>
}

interface Member {
  name: string
  postgresPort: number
  restUrl: string
  config: string
  data: string
  /** Its network towards etcd and the other members. */
  links: Link[]
  patroni: ChildProcess | undefined
}

/** Ends with the file's tests. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const identity = await databaseUser()
  const folder = temporaryFolder(atFileEnd)
  if (identity.uid !== undefined) fs.chownSync(folder, identity.uid, identity.gid ?? identity.uid)
  const running = new Set<ChildProcess>()

  function start(program: string, args: string[]): ChildProcess {
    const log = fs.openSync(path.join(folder, `${path.basename(program)}.log`), 'a')
    const child = spawn(findProgram(program) ?? program, args, {
      ...identity,
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    })
    fs.closeSync(log)
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }

  const etcdUrl = `http://127.0.0.1:${await freePort()}`
  const peerUrl = `http://127.0.0.1:${await freePort()}`
  start('etcd', [
    ...['--name', 'etcd', '--data-dir', path.join(folder, 'etcd'), '--initial-cluster', `etcd=${peerUrl}`],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
  ])

  const members: Member[] = []
  for (const name of ['one', 'two', 'three']) {
    const [postgresPort, restPort] = [await freePort(), await freePort()]
    const data = path.join(folder, name)
    const config = path.join(folder, `${name}.yml`)
    const linkTo = (to: number) => openLink({ port: to, hostname: '127.0.0.1' }, { atEnd: atFileEnd })
    const links = await Promise.all([Number(new URL(etcdUrl).port), postgresPort, restPort].map(linkTo))
    const member: Member = {
      name,
      postgresPort,
      restUrl: `http://127.0.0.1:${restPort}`,
      config,
      data,
      links,
      patroni: undefined,
    }
    fs.writeFileSync(config, stringify(configOf(member, folder)))
    members.push(member)
  }
  const startMember = (member: Member) => {
    member.patroni = start('patroni', [member.config])
  }
  members.forEach(startMember)

  const port = await freePort()
  const balancer = path.join(folder, 'haproxy.cfg')
  fs.writeFileSync(balancer, haproxyConfig(port, members))
  start('haproxy', ['-db', '-f', balancer])

  atFileEnd(async () => {
    for (const member of members) killMember(member)
    for (const child of running) child.kill('SIGKILL')
    await Promise.all([...running].map((child) => once(child, 'exit')))
  })

  /** @returns the postmaster's pid; undefined if it does not run */
  function postmasterOf({ data }: Member): number | undefined {
    const file = path.join(data, 'postmaster.pid')
    return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined
  }

  function signalMember(member: Member, signal: NodeJS.Signals): void {
    member.patroni?.kill(signal)
    const pid = postmasterOf(member)
    if (pid && fs.existsSync(`/proc/${pid}`)) signalAll(pid, signal)
  }

  function killMember(member: Member): void {
    signalMember(member, 'SIGKILL')
    fs.rmSync(path.join(member.data, 'postmaster.pid'), { force: true })
  }

  interface State {
    members: { name: string; role: string; state: string }[]
  }

  async function stateOf({ restUrl }: Member): Promise<State | undefined> {
    try {
      return (await (await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(1_000) })).json()) as State
    } catch {
      return undefined
    }
  }

  /** Waits until one member leads, and another follows it synchronously. @returns the leader */
  async function ready(from: readonly Member[], isComplete = true): Promise<Member> {
    for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(250)) {
      for (const member of from) {
        const state = await stateOf(member)
        const leader = from.find(({ name }) => state?.members.some((one) => one.name === name && one.role === 'leader'))
        const isSafe = state?.members.some(({ role }) => role === 'sync_standby')
        const areUp = state?.members.filter(({ state }) => ['running', 'streaming'].includes(state)).length === 3
        if (leader && isSafe && (areUp || !isComplete)) return leader
      }
    }
    throw new Error(`the cluster has no leader with a synchronous standby:\n${logOf('patroni')}`)
  }

  const logOf = (program: string) =>
    fs
      .readFileSync(path.join(folder, `${program}.log`), 'utf8')
      .split('\n')
      .slice(-40)
      .join('\n')
  const othersThan = (leader: Member) => members.filter((member) => member !== leader)

  /** Kills the member, and starts it again once another leads. */
  async function replace(leader: Member): Promise<void> {
    killMember(leader)
    await ready(othersThan(leader), false)
    startMember(leader)
    await ready(members)
  }

  await ready(members)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async killLeader() {
      const leader = await ready(members)
      await replace(leader)
    },
    async pauseLeader() {
      const leader = await ready(members)
      signalMember(leader, 'SIGSTOP')
      await sleep(PAUSE_MS)
      signalMember(leader, 'SIGCONT')
      await ready(members)
    },
    async freezeLeader() {
      const leader = await ready(members)
      signalMember(leader, 'SIGSTOP')
      await sleep(WATCHDOG_AFTER_MS)
      await replace(leader)
    },
    async partitionLeader() {
      const leader = await ready(members)
      for (const link of leader.links) link.become('silent')
      await ready(othersThan(leader), false)
      for (const link of leader.links) link.become('open')
      await ready(members)
    },
    async switchOver() {
      const leader = await ready(members)
      const { status } = await fetch(`${leader.restUrl}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name }),
      })
      if (status !== 200) throw new Error(`the switchover was answered by ${status}`)
      await ready(members)
    },
  }
}

/** Others reach the member by its links; clients and haproxy by its own ports. */
function configOf({ name, postgresPort, restUrl, data, links }: Member, folder: string): object {
  const [etcd, postgres, rest] = links.map(({ port }) => `127.0.0.1:${port}`)
  return {
    scope: 'directory',
    name,
    restapi: { listen: new URL(restUrl).host, connect_address: rest },
    etcd3: { proxy: `http://${etcd}` },
    bootstrap: {
      dcs: {
        ttl: LEADER_EXPIRES_AFTER_SECONDS,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, wal_level: 'replica', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgresPort}`,
      connect_address: postgres,
      data_dir: data,
      bin_dir: findPostgres(PATRONI_VERSIONS, ['postgres', 'pg_basebackup', 'pg_rewind']),
      pgpass: path.join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: 'test' },
        replication: { username: 'replicator', password: 'test' },
      },
      parameters: { unix_socket_directories: folder },
    },
    tags: { nofailover: false },
  }
}

const haproxyConfig = (port: number, members: readonly Member[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen leader
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, postgresPort, restUrl }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${new URL(restUrl).port}`).join('\n')}
`
