// Mails and messages link to pages of the site, but are written by other features.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { accountPages } from '../../../src/features/accounts/pages.ts'
import { claimsPages } from '../../../src/features/claims/index.ts'
import { notificationPages } from '../../../src/features/notifications/index.ts'
import { PAGES } from '../../../src/features/site/pages.ts'

/** The path of a link: a parameter is a whole part of it. */
const LINK = /\$\{(?:base|settings\.PUBLIC_BASE_URL)\}((?:\/(?:[\w-]+|\$\{\w+\}))+)/g

const links = fs
  .readdirSync('src/features', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('site/') && !file.includes('-platform.ts'))
  .flatMap((file) => [...fs.readFileSync(`src/features/${file}`, 'utf8').matchAll(LINK)])
  .map(([, path = '']) => path.replaceAll(/\$\{\w+\}/g, '*'))
  .filter((path) => !path.startsWith('/api/'))

test('each link of a mail or message leads to a page', () => {
  const pages = [
    ...PAGES.map(({ path }) => path.replaceAll(/\{\w+\}/g, '*')),
    ...[accountPages, claimsPages, notificationPages].flatMap((others) => Object.keys(others)),
  ]
  expect(links).toEqual(expect.arrayContaining(['/password', '/account/second-factor', '/servers/*']))
  expect(links.filter((path) => !pages.includes(path))).toEqual([])
})
