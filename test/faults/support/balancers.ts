// Runs real haproxy and nginx with the samples of ops/ in front of a test's processes.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { findProgram } from '../../support/installed.ts'

const OPS = path.resolve(import.meta.dirname, '../../../ops')

/** Replaces one place of a sample. Throws when the sample no longer has it. */
function put(config: string, place: RegExp, text: string): string {
  if (!place.test(config)) throw new Error(`the sample has nothing like ${place}`)
  return config.replace(place, text)
}

/** Runs `ops/haproxy/haproxy.cfg` with these processes in place of the containers. @returns its address */
export async function startHaproxy(apiUrls: string[]): Promise<string> {
  const port = await freePort()
  const servers = apiUrls.map((url, n) => `    server api${n} ${new URL(url).host}`).join('\n')
  let config = fs.readFileSync(path.join(OPS, 'haproxy/haproxy.cfg'), 'utf8')
  config = put(config, /^ +server-template .*$/m, servers)
  config = put(config, / port 3004( .*) resolvers containers init-addr none$/m, '$1')
  config = put(config, /^resolvers containers\n( .*\n)+/m, '')
  config = put(config, /bind :8080/, `bind 127.0.0.1:${port}`)
  config = put(config, /127\.0\.0\.1:8081/, `127.0.0.1:${await freePort()}`)
  return await startBalancer('haproxy', config, (file) => ['-db', '-f', file], port)
}

/** Runs `ops/nginx/server-directory.conf` with these processes. @returns its address */
export async function startNginx(apiUrls: string[]): Promise<string> {
  const port = await freePort()
  const servers = apiUrls.map((url) => `    server ${new URL(url).host} max_fails=0;\n`).join('')
  let config = fs.readFileSync(path.join(OPS, 'nginx/server-directory.conf'), 'utf8')
  config = put(config, /^( +server [\d.:]+ max_fails=0;\n)+/m, servers)
  config = put(config, /listen 8080/, `listen 127.0.0.1:${port}`)
  config = put(config, /error_log \/var\/log\/nginx\/error.log/, 'error_log stderr')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const main = `daemon off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${config}}`
  return await startBalancer('nginx', main, (file, folder) => ['-e', 'stderr', '-p', folder, '-c', file], port)
}

async function startBalancer(
  program: string,
  config: string,
  args: (file: string, folder: string) => string[],
  port: number,
): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `server-directory-${program}-`))
  fs.chmodSync(folder, 0o755) // nginx of root writes large bodies there as another user
  const file = path.join(folder, 'balancer.conf')
  fs.writeFileSync(file, config)
  const child = spawn(findProgram(program) ?? program, args(file, folder), { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 30_000
  const isServing = () =>
    fetch(`${url}/api/public/stats`).then(
      ({ ok }) => ok,
      () => false,
    ) // prettier-ignore
  while (!(await isServing())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} does not serve:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return url
}
