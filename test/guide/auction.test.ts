// Runs the guide's commands from an ad slot to a featured server, with the payment sandbox.
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { startLauncher, temporaryFolder } from '../commands/support/start-launcher.ts'
import { guideBlocks, isShellMissing, runBlocks } from '../support/guide.ts'

const WAIT_OPTIONS = { timeout: 45_000, interval: 100 }

test.skipIf(isShellMissing())(
  'the guide’s commands sell a placement and pay for it',
  { timeout: 150_000 },
  async () => {
    const blocks = guideBlocks('auction')
    expect(blocks).toHaveLength(4)
    const launcher = await startLauncher({
      RATE_LIMIT_IP_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ADMIN_EMAILS: 'me@example.com',
    })
    await vi.waitFor(() => expect(launcher.output()).toContain('The server directory is running.'), WAIT_OPTIONS)
    // The state that the guide's earlier sections lead to.
    const before = `
curl -sS -c cookies.txt http://localhost:3000/api/auth/register -H 'Content-Type: application/json' \\
  -d '{"email":"me@example.com","password":"plough the 7 seas","username":"Me"}' > /dev/null
ID=$(curl -sS -b cookies.txt http://localhost:3000/api/servers -H 'Content-Type: application/json' \\
  -d '{"name":"My island","ipAddress":"127.0.0.1","gamePort":7777,"game":"protocol-valve"}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
echo "$ID"`
    const [serverId = '', , bid = '', , shown = ''] = await runBlocks(
      [before, ...blocks],
      {
        'http://localhost:3000': launcher.apiUrl,
        'cookies.txt': path.join(temporaryFolder(), 'cookies.txt'),
        '20_000': '8_000',
      },
      { timeoutMs: 90_000 },
    )

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
