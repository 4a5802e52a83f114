// A team of three: the owner invites a manager and a viewer, hands the server over to the manager, and leaves.
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isMissing } from '../../support/installed.ts'
import { type LoopbackRequest, startLoopbackServer } from '../../support/loopback-server.ts'
import { newKey, withKey } from '../keys.ts'
import { confirmAddress, findMails } from '../mails.ts'
import { openPage } from '../pages.ts'
import { createServer, newsOf, newVisitor, type Person, register, siteUrl, WAIT_OPTIONS } from '../product.ts'

const NAME = 'The shared isle'
const PLAYER = '76561198000000815'

/** A part of a page by its heading. */
const card = (page: Page, heading: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })

/** The lines of “What was done”, latest first: what, and by whom. */
async function logOn(page: Page): Promise<(string | undefined)[][]> {
  const entries = await card(page, 'What was done').getByRole('listitem').allInnerTexts()
  return entries.map((entry) => {
    const [what, byAndWhen] = entry.split('\n').filter(Boolean)
    return [what, byAndWhen?.split(',')[0]]
  })
}

async function acceptInvitation({ client }: Person): Promise<void> {
  const { invitations } = (await client.get<{ invitations: { id: string }[] }>('/api/user/invitations')).body
  expect(invitations).toMatchObject([{ serverName: NAME }])
  expect((await client.post(`/api/user/invitations/${invitations[0]?.id}/accept`, {})).status).toBe(200)
}

const mailsTo = ({ email }: Person, subject: string) =>
  findMails(subject).filter(({ headers }) => headers.get('to') === email)

describe.skipIf(isMissing('chromium'))('a team', () => {
  test('works on a server by roles, sees who did what, and keeps working under the manager when the owner hands over and leaves', async () => {
    const received: LoopbackRequest[] = []
    const { origin, close } = await startLoopbackServer((request, res) => {
      received.push(request)
      res.writeHead(204).end()
    })
    onTestFinished(close)
    const [owner, manager, viewer] = [await register(), await register(), await register()]
    await confirmAddress(owner)
    await confirmAddress(viewer)
    const { server, verificationToken, game } = await createServer(owner, { name: NAME, game: 'rust' })
    const path = `/api/servers/${server.id}`
    const pathOfKeys = `/api/v1/servers/${server.id}`
    const teamPage = `/my/servers/${server.id}/team`
    game.info.name = `${NAME} ${verificationToken}`
    expect((await owner.client.post(`${path}/claim/verify`)).body).toMatchObject({ status: 'verified' })
    const webhook = { url: `${origin}/votes`, events: ['vote.created'] }
    const { secret } = (await owner.client.put<{ secret: string }>(`${path}/webhook`, webhook)).body
    const { voteKey } = (await owner.client.post<{ voteKey: string }>(`${path}/vote-key`)).body
    const ownersKey = withKey(await newKey(owner))

    const ofOwner = await openPage(teamPage, {}, owner)
    const invite = async (to: string, role: string) => {
      await ofOwner.getByLabel('Name or e-mail address').fill(to)
      await ofOwner.getByLabel('Role').selectOption(role)
      await ofOwner.getByRole('button', { name: 'Send invitation' }).click()
      await card(ofOwner, 'Open invitations').getByText(to, { exact: true }).first().waitFor()
    }
    await invite(manager.username, 'Manager')
    await invite(viewer.email, 'Viewer')
    await expect.poll(() => mailsTo(viewer, `Invitation to the server ${NAME}`), WAIT_OPTIONS).toHaveLength(1)
    await acceptInvitation(viewer)
    await acceptInvitation(manager)

    const managersKey = withKey(await newKey(manager))
    const describedAs = async (client: Person['client'], description: string, at = path) =>
      (await client.patch(at, { description })).status
    expect(await describedAs(manager.client, 'By the manager')).toBe(200)
    expect(await describedAs(managersKey, 'By the manager’s panel', pathOfKeys)).toBe(200)
    const another = { username: owner.username, role: 'viewer' }
    expect((await manager.client.post(`${path}/members`, another)).status).toBe(403)
    expect((await viewer.client.get(`${path}/activity`)).status).toBe(200)
    expect(await describedAs(viewer.client, 'By the viewer')).toBe(403)

    const work = [
      ['Listing changed · Description', manager.username],
      ['Listing changed · Description', manager.username],
      ['Joined the team · Manager', manager.username],
      ['Joined the team · Viewer', viewer.username],
    ]
    const begun = [
      ['Vote key created', owner.username],
      ['Ownership proven', owner.username],
    ]
    await ofOwner.reload()
    expect(await logOn(ofOwner)).toEqual([
      ...work,
      ['Invited · Viewer', owner.username],
      [`Invited · ${manager.username} · Manager`, owner.username],
      ...begun,
    ])
    const ofManager = await openPage(teamPage, {}, manager)
    expect(await logOn(ofManager)).toEqual([...work, ...begun])
    expect(await ofManager.getByRole('button', { name: 'Send invitation' }).count()).toBe(0)
    const ofViewer = await openPage(teamPage, {}, viewer)
    expect(
      await ofViewer.getByRole('navigation', { name: 'Server', exact: true }).getByRole('link').allInnerTexts(),
    ).toEqual(['Overview', 'Votes', 'Team'])
    expect(await card(ofViewer, 'Team').locator('li b').allInnerTexts()).toEqual(
      [owner, viewer, manager].map(({ username }) => username),
    )
    expect(await card(ofViewer, 'What was done').count()).toBe(0)

    const line = card(ofOwner, 'Team').locator('li', { has: ofOwner.getByText(manager.username, { exact: true }) })
    await line.getByText('Hand over', { exact: true }).click()
    await line.getByRole('button', { name: 'Offer the server' }).click()
    await card(ofOwner, 'Open invitations').getByText('Hand-over').waitFor()
    await ofManager.goto(`${siteUrl}/my/servers`)
    await card(ofManager, 'Invitations').getByText('Accept', { exact: true }).click()
    await ofManager.getByLabel('Keep endpoints with their secrets').check()
    await ofManager.getByLabel('Keep the team').check()
    await ofManager.getByRole('button', { name: 'Take the server over' }).click()
    await ofManager.getByRole('heading', { name: NAME, exact: true }).waitFor()
    await expect.poll(() => mailsTo(owner, `The server ${NAME} was handed over`), WAIT_OPTIONS).toHaveLength(1)
    await expect
      .poll(async () => (await newsOf(owner)).map(({ event }) => event), WAIT_OPTIONS)
      .toContain('serverHandedOver')

    await ofOwner.reload()
    await card(ofOwner, 'Team').getByText('Leave the team', { exact: true }).first().click()
    await ofOwner.getByRole('button', { name: 'Leave the team' }).click()
    await ofOwner.waitForURL(/\/my\/servers(\?|$)/)
    expect(await ofOwner.getByText(NAME).count()).toBe(0)
    await ofOwner.goto(siteUrl + teamPage)
    await ofOwner.getByText('This server belongs to another user.').waitFor()
    expect(await describedAs(owner.client, 'By the former owner')).toBe(403)
    expect((await ownersKey.get(`${pathOfKeys}/votes`)).status).toBe(403)

    expect(await describedAs(managersKey, 'By the new owner’s panel', pathOfKeys)).toBe(200)
    expect((await viewer.client.get(`${path}/activity`)).status).toBe(200)
    const vote = { visitorId: 'a visitor of the shared isle', username: 'Zoe', gamePlatformId: PLAYER }
    expect((await newVisitor().post(`${path}/vote`, vote)).body).toMatchObject({ success: true, webhookSent: true })
    await expect.poll(() => received.length, WAIT_OPTIONS).toBe(1)
    const [{ body, headers }] = received as [LoopbackRequest]
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'vote.created',
      data: { serverId: server.id, username: 'Zoe' },
    })
    const asked = new URLSearchParams({ action: 'claim', key: voteKey, steamid: PLAYER })
    expect((await newVisitor().get<string>(`/api/plugins/votes?${asked}`)).body).toBe('1')

    await ofManager.goto(siteUrl + teamPage)
    expect((await logOn(ofManager)).slice(0, 3)).toEqual([
      [`Membership ended · ${owner.username} · Manager`, owner.username],
      ['Server handed over · Owner', manager.username],
      [`Hand-over offered · ${manager.username} · Owner`, owner.username],
    ])
    expect(await card(ofManager, 'Team').locator('li b').allInnerTexts()).toEqual([manager.username, viewer.username])
  })
})
