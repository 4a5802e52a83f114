// Starts a real redis-server on a free port, if one is installed.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'

export interface RedisServer {
  url: string
  pid: number
  stop(): Promise<void>
}

export async function startRedis(port?: number): Promise<RedisServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-redis-'))
  const listening = port ?? (await freePort())
  const options = [
    '--port',
    String(listening),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const server = spawn('redis-server', options, { stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const deadline = Date.now() + 10_000
  while (!(await accepts(listening))) {
    if (Date.now() > deadline) throw new Error('redis-server does not answer')
    await sleep(20)
  }
  return {
    url: `redis://127.0.0.1:${listening}`,
    pid: server.pid ?? 0,
    async stop() {
      server.kill('SIGKILL')
      await ended
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })
}
