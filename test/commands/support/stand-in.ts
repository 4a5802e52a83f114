// Stands in for a process of the launcher: answers /readyz on its port and behaves as its arguments say: the name of
// its port's setting, then any of `ignore-sigterm`, `asks`, `ready-after-asking`, `fail=<message>`, `never-ready`,
// `log-last`.
import { createServer } from 'node:http'
import { createLog } from '../../../src/platform/observability/log.ts'

const [portSetting = 'PORT', ...habits] = process.argv.slice(2)
const habit = (name: string) => habits.find((given) => given === name || given.startsWith(`${name}=`))

if (habit('asks')) await new Promise((sent) => process.send?.({ question: 1, name: 'a question' }, sent))
if (habit('ready-after-asking')) {
  process.send?.({ question: 1, name: 'a question' })
  process.send?.('ready')
}
const failure = habit('fail')
if (failure) {
  process.stderr.write(`${failure.slice('fail='.length)}\n`)
  process.exit(1)
}
const server = createServer((request, response) => {
  if (request.url === '/crash') process.exit(3)
  response.statusCode = habit('never-ready') ? 503 : 200
  response.end(String(process.pid))
})
server.listen(Number(process.env[portSetting]), '127.0.0.1', () => process.send?.('listening'))
process.stdout.write(`${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'listening' })}\n`)
const log = createLog('stand-in', 'info')
process.on('SIGTERM', () => {
  if (habit('log-last')) {
    for (let i = 0; i < 3; i++) log.info('last words '.repeat(5_000)) // more than one write can take
    process.exit(1)
  }
  if (!habit('ignore-sigterm')) {
    process.stdout.write('draining\n')
    server.close()
  }
})
