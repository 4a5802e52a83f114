// The second factor in a browser: a passkey of a virtual authenticator, one-time codes and recovery codes.
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { addAccount, PASSWORD } from '../features/accounts/support.ts'
import type { TestApi } from '../support/api.ts'
import { isMissing } from '../support/installed.ts'
import { faultsOf } from '../support/page-faults.ts'
import { startSite } from '../support/site.ts'

describe.skipIf(isMissing('chromium'))('the second factor', () => {
  let browser: Browser
  let api: TestApi
  let base = ''

  beforeAll(async () => {
    ;({ api, browser, base } = await startSite())
  })

  /** A page of a new browser, with an authenticator that answers at once. */
  async function open(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return page
  }

  async function enterPassword(page: Page, email: string): Promise<void> {
    await page.goto(`${base}/login`)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  it('is a passkey: added, asked for at login, and again before a key is made', async () => {
    const { id, email } = await addAccount(api)
    const page = await open()
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await page.goto(`${base}/account/second-factor`)
    const passkeys = page.locator('form[data-passkey]')
    await passkeys.getByLabel('Name').fill('Laptop')
    await passkeys.getByLabel('Password').fill('not the password')
    await passkeys.getByRole('button').click()
    await passkeys.getByText('The password is wrong.').waitFor()
    await passkeys.getByLabel('Password').fill(PASSWORD)
    await passkeys.getByRole('button').click()
    await page.getByText('Your recovery codes.').waitFor()
    expect((await page.locator('.notice code').innerText()).split('\n')).toHaveLength(10)
    expect(await faultsOf(page)).toEqual([])

    await page.goto(`${base}/logout`)
    await page.getByRole('button', { name: 'Log out' }).click()
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()

    const letConfirmationExpire = () =>
      api.database.pool.query(`update sessions set second_factor_at = now() - interval '1 hour' where user_id = $1`, [
        id,
      ])
    await letConfirmationExpire()
    await page.goto(`${base}/account/keys`)
    const makeKey = async () => {
      await page.getByLabel('Purpose').fill('Statistics')
      await page.getByRole('button', { name: 'Create key' }).click()
    }
    await makeKey()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    // What was typed is in the address, so it is not lost.
    await page.waitForURL(/\/account\/keys\?name=Statistics&/)
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Statistics')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Your new key.').waitFor()

    await letConfirmationExpire()
    await page.goto(`${base}/account/second-factor`)
    await passkeys.getByLabel('Name').fill('Phone')
    await passkeys.getByRole('button').click()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${base}/account/second-factor`)
  })

  it.each([true, false])('is a code of an app, or a recovery code; scripts: %s', async (javaScriptEnabled) => {
    const { email } = await addAccount(api)
    const page = await open({ javaScriptEnabled })
    await enterPassword(page, email)
    await page.goto(`${base}/account/second-factor`)
    const begin = page.locator('form', { has: page.getByRole('button', { name: 'Set up one-time codes' }) })
    await begin.getByLabel('Password').fill(PASSWORD)
    await begin.getByRole('button').click()
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor()
    const secret = (await page.locator('.copy-block code').first().innerText()).trim()
    if (javaScriptEnabled) expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Code of your app').fill('000000')
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.locator('#code-problem').getByText('This code is not right').waitFor()
    expect(await page.locator('.copy-block code').first().innerText()).toContain(secret)
    const code = () => new TOTP({ secret }).generate()
    await page.getByLabel('Code of your app').fill(code())
    await page.getByRole('button', { name: 'Finish' }).click()
    const [recoveryCode = ''] = (await page.locator('.notice code').innerText()).split('\n')

    await page.context().clearCookies()
    await enterPassword(page, email)
    await page.getByLabel('Code of your app').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).first().click()
    await page.locator('#code-problem').getByText('This code is not right').waitFor()
    await page.getByText('Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(recoveryCode.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).last().click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await page.goto(`${base}/account/second-factor`)
    await page.getByText('You have 9 unused recovery codes.').waitFor()
  })
})
