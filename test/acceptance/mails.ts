// Reads the mails of this folder's product.
import { expect, vi } from 'vitest'
import { findMailsOf } from '../support/product-mails.ts'
import { bid, newAuction } from './money.ts'
import { type Person, product, register, WAIT_OPTIONS } from './product.ts'
import { onceNeeded } from './section.ts'

/** All mails whose text or headers contain `words`. */
export const findMails = (words: string) => findMailsOf(product, words)

/**
 * Waits for a mail with this subject to the person. @returns the token of its link to `page`
 * @param options.after the token of an earlier one
 */
export async function mailedToken(
  { email }: Pick<Person, 'email'>,
  { subject, page, after }: { subject: string; page: string; after?: string },
): Promise<string> {
  const link = new RegExp(`/${page}#([\\w-]{43})$`, 'm')
  const tokens = () =>
    findMails(subject)
      .filter(({ headers }) => headers.get('to') === email)
      .map(({ text }) => link.exec(text)?.[1] ?? '')
      .filter((token) => token !== after)
  await vi.waitFor(() => expect(tokens()).toHaveLength(1), WAIT_OPTIONS) // also for set-ups, where `expect.poll` can't be used
  return tokens()[0] ?? ''
}

/** Confirms the person's address by the mailed link: notifications are mailed to confirmed addresses only. */
export async function confirmAddress(person: Person): Promise<void> {
  const token = await mailedToken(person, { subject: 'Confirm your e-mail address', page: 'confirm' })
  expect((await person.client.post('/api/auth/verify-email', { token })).status).toBe(200)
}

/** Was outbid, which is mailed within a minute. */
export const theNotified = onceNeeded(async (): Promise<Person> => {
  const [person, rival] = [await register(), await register()]
  await confirmAddress(person)
  const { id } = await newAuction()
  expect((await bid(person, id, 500)).status).toBe(201)
  expect((await bid(rival, id, 600)).status).toBe(201)
  return person
})
