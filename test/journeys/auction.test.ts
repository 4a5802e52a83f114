// The README's way from an ad slot to a featured server, command by command as it stands there, with the payment sandbox.
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { startLauncher, temporaryFolder } from '../tools/support/start-launcher.ts'

const PATIENCE = { timeout: 45_000, interval: 100 }
const missing = ['curl', 'sed', 'grep', 'sh'].filter((program) => !isInstalled(program))
if (missing.length) console.warn(`auction.test.ts skipped: ${missing.join(', ')} not found`)

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(missing.length > 0)(
  'whoever follows the README sells a place and pays for it',
  { timeout: 150_000 },
  async () => {
    const readme = fs.readFileSync('README.md', 'utf8')
    const section = /<!-- auction:[^>]*-->([\s\S]*?)<!-- \/auction -->/.exec(readme)?.[1] ?? ''
    const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    expect(blocks).toHaveLength(4)
    const launcher = await startLauncher({
      RATE_LIMIT_IP_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ADMIN_EMAILS: 'me@example.com',
    })
    await vi.waitFor(() => expect(launcher.output()).toContain('The server directory is running.'), PATIENCE)
    const cookies = path.join(temporaryFolder(), 'cookies.txt')
    // What the sections before this one have led to.
    const before = `
curl -sS -c cookies.txt http://localhost:3000/api/auth/register -H 'Content-Type: application/json' \\
  -d '{"email":"me@example.com","password":"plough the 7 seas","username":"Me"}' > /dev/null
ID=$(curl -sS -b cookies.txt http://localhost:3000/api/servers -H 'Content-Type: application/json' \\
  -d '{"name":"My island","ipAddress":"127.0.0.1","gamePort":7777,"game":"protocol-valve"}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
echo "$ID"`
    const steps = [before, ...blocks].map((block, n) => `echo '### ${n}'\n${block}`).join('\n')
    const script = `set -eu\n${steps}`
      .replaceAll('http://localhost:3000', launcher.apiUrl)
      .replaceAll('cookies.txt', cookies)
      .replace('20_000', '8_000')
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { timeout: 90_000 })
    const [, serverId = '', , bid = '', , shown = ''] = stdout.split(/### \d+\n/).map((output) => output.trim())

    expect(JSON.parse(bid)).toMatchObject({
      bid: { bidAmount: 500, serverId },
      auction: { status: 'active', currentBid: 500, leadingBidder: 'M***' },
    })
    const [placements = '', featured = ''] = shown.split('\n')
    expect(JSON.parse(placements)).toMatchObject({
      placements: [{ location: 'home-top', serverId, title: 'My island' }],
    })
    expect(JSON.parse(featured)).toMatchObject({ isFeatured: true, placement: { serverId } })
  },
)
