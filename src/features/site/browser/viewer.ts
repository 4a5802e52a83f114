// Who looks at a page that is the same for all with a session. The document loads it for them only, and it asks once.
import { api } from './api.ts'

const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
const id = find('.server-page')?.dataset.server

/** What the visitor is to the server of this page; undefined on other pages. */
export const access = id === undefined ? undefined : api.get('/servers/{id}/access', { path: { id } })

const known = access ?? api.get('/auth/session').then(({ user, isModerator }) => ({ ...user, isModerator }))
known.then(
  ({ username, isAdmin, isModerator }) => {
    const account = find('.top .account')
    if (account) account.textContent = username
    const admin = find('.top .for-admins')
    if (admin) admin.hidden = !isAdmin && !isModerator
  },
  () => undefined, // a session that has ended: the page behind “Account” leads to the login
)
