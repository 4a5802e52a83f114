// What the page shows after a vote: its effects as they happen, and reminders of the next vote. Loaded only then.
import type { RefusedForm } from '../components/fields.ts'
import type { Locale } from '../components/locale.ts'
import type { Schemas } from '../components/types.ts'
import type { ReminderChannel, VoteFormData, Voting } from '../components/vote-form.ts'
import { ApiError, api } from './api.ts'
import { subscribe } from './push.ts'
import { reminderIdOf, storeReminderId } from './reminder-ids.ts'

/** A visitor's vote for a server, on its page. */
interface Voted {
  id: string
  visitorId: string
  page: { locale: Locale<'forms'>; data: VoteFormData }
  show(voting: Partial<Voting>): void
  /** Shows the server's place and score after the vote. */
  showRank(rank: Schemas['ServerRank']): void
  refusedBy(error: unknown, locale: Locale<'forms'>): Promise<RefusedForm>
  focusResult(): void
}

let isPrepared = false

/** Makes the buttons of reminders work. Call it while the form is shown. */
export function prepare(voted: Voted): void {
  if (isPrepared) return
  isPrepared = true
  // The card keeps its height: its content after a vote is lower than the form, and what follows
  // the card must not move.
  const card = document.querySelector<HTMLElement>('#vote')
  if (card) card.style.minHeight = `${card.offsetHeight}px`
  voted.show({ canPush: 'PushManager' in window })
  document.addEventListener('submit', (event) => {
    if (!(event.target as HTMLFormElement).matches('[data-remind-mail]')) return
    event.preventDefault()
    void remind(voted, 'email')
  })
  document.addEventListener('click', ({ target }) => {
    const action = (target as Element).closest<HTMLElement>('[data-remind]')?.dataset.remind
    if (action === 'push') void remind(voted, 'push')
    else if (action === 'not') void endReminder(voted)
  })
}

/** Shows the visitor's reminder if it still runs: a click in one of its messages may have ended it. */
export async function showReminder({ id: serverId, show }: Voted): Promise<void> {
  const id = reminderIdOf(serverId)
  if (!id) return
  try {
    const { channel } = await api.get('/vote-reminders/{id}', { path: { id } })
    show({ reminder: { channel, id } })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') storeReminderId(serverId, undefined)
  }
}

async function remind(
  { id, visitorId, page: { locale }, show, refusedBy, focusResult }: Voted,
  channel: ReminderChannel,
) {
  if (channel === 'push' && (await Notification.requestPermission()) !== 'granted')
    return show({ reminder: { isForbidden: true } })
  const body = { visitorId, language: locale.language }
  const path = { id }
  try {
    const reminder =
      channel === 'push'
        ? await api.post('/servers/{id}/vote/reminder', { path, body: { ...body, push: await subscribe() } })
        : await api.post('/servers/{id}/vote/mail-reminder', { path, body })
    storeReminderId(id, reminder.id)
    show({ reminder: { channel, id: reminder.id } })
    focusResult()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated')
      location.assign(locale.href('/login', { next: locale.href(location.pathname) }))
    show({ reminder: { refused: await refusedBy(error, locale) } })
  }
}

async function endReminder({ id: serverId, page, show, refusedBy, focusResult }: Voted): Promise<void> {
  const { reminder = {} } = page.data.voting
  const { id } = reminder
  try {
    if (id) await api.post('/vote-reminders/off', { query: { id } })
    storeReminderId(serverId, undefined)
    show({ reminder: {} })
  } catch (error) {
    show({ reminder: { ...reminder, refused: await refusedBy(error, page.locale) } })
  }
  focusResult()
}

/** @returns the server's place and score; undefined without a reply, as the vote counts regardless */
export const rankOf = (id: string): Promise<Schemas['ServerRank'] | undefined> =>
  api.get('/servers/{id}/rank', { path: { id } }).catch(() => undefined)

/** Follows the API's stream of the vote's progress, and checks whether the server has risen. */
export async function showProgress(
  { id, visitorId, show, showRank }: Voted,
  before: Schemas['ServerRank'] | undefined,
): Promise<void> {
  const source = new EventSource(`/api/servers/${id}/vote/progress?${new URLSearchParams({ visitorId })}`)
  source.addEventListener('progress', ({ data }: MessageEvent<string>) => {
    const { delivered, rewarded, isOver } = JSON.parse(data)
    show({ progress: { delivered: delivered ?? undefined, rewarded: rewarded ?? undefined } })
    if (isOver) source.close()
  })
  // Closes a stream that has ended, which the browser would open again.
  source.addEventListener('error', () => source.close())
  const after = await rankOf(id)
  if (!after) return
  showRank(after)
  if (before && after.place < before.place) show({ places: { before: before.place, after: after.place } })
}
