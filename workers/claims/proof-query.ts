// Queries a claimed server so that a third party can't answer for it: each attempt has its own socket and accepts one
// answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { GameDig, type UdpSocket } from 'gamedig'
import type { ClaimedServer, Proof } from '../../src/features/claims/index.ts'
import { isEvidence } from '../polling/outcome.ts'
import { type AskServerOptions, createAskServer } from '../polling/query.ts'
import type { Lend } from '../polling/query-pool.ts'
import { createQuerySocket } from '../polling/udp-socket.ts'

/** A forged answer must arrive before the server's own, which then arrives within this time. */
const LISTEN_ON_MS = 1_000

/** @returns undefined if nothing was found out about the server */
export type ProofQuery = (server: ClaimedServer, tokens: readonly string[]) => Promise<Proof | undefined>

/**
 * The system picks a random source port for each socket, so a forger who does not see the request must guess it; and
 * the server's own answer, which can't be suppressed, contradicts a forged one.
 */
export function createProofQuery({ pool, ...options }: AskServerOptions): ProofQuery {
  return async (server, tokens) => {
    const answered: ProofSocket[] = []
    const lend: Lend = async (use) => {
      const socket = createProofSocket()
      const gamedig = new GameDig()
      gamedig.queryRunner.udpSocket = socket
      try {
        const result = await use(gamedig)
        answered.push(socket)
        return result
      } catch (error) {
        socket.close() // late answers to an abandoned attempt neither prove nor contradict
        throw error
      }
    }
    const ask = createAskServer({ ...options, pool: { run: (address, work) => pool.run(address, () => work(lend)) } })
    try {
      const outcome = await ask({ ...server, tokens })
      const { address } = outcome
      if (!outcome.answered) return isEvidence(outcome) ? { shown: 'silent', address } : undefined
      await sleep(LISTEN_ON_MS)
      const isContradicted = answered.some((socket) => socket.isContradicted())
      return { shown: isContradicted ? 'contradictory' : (outcome.seenTokens ?? []), address }
    } finally {
      for (const socket of answered) socket.close()
    }
  }
}

interface ProofSocket extends UdpSocket {
  /** Whether a datagram came from the server while none was expected, other than a copy of an expected one. */
  isContradicted(): boolean
  close(): void
}

function createProofSocket(): ProofSocket {
  let contradicted = false
  const socket = createQuerySocket(() => {
    contradicted = true // no answer has this many datagrams
  })
  const callbacks = new Set<Parameters<UdpSocket['addCallback']>[0]>()
  const asked = new Set<string>()
  const used: Buffer[] = []
  socket.addCallback((address, port, datagram) => {
    if (!asked.has(`${address}:${port}`)) return
    if (callbacks.size) {
      used.push(datagram)
      for (const callback of callbacks) callback(address, port, datagram)
    } else if (!used.some((one) => one.equals(datagram))) contradicted = true // the network may duplicate a datagram
  })
  return {
    send(buffer, address, port) {
      asked.add(`${address}:${port}`)
      return socket.send(buffer, address, port)
    },
    addCallback: (callback) => callbacks.add(callback),
    removeCallback: (callback) => callbacks.delete(callback),
    isContradicted: () => contradicted,
    close: () => socket.close(),
  }
}
