// Reads who the visitor is on a page that is the same for everyone with a session. Only visitors with a session load
// this script, and it sends one request.
import { api } from './api.ts'

const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
const id = find('.server-page')?.dataset.server

/** The visitor's access to the server of this page; undefined on other pages. */
export const access = id === undefined ? undefined : api.get('/servers/{id}/access', { path: { id } })

const known = access ?? api.get('/auth/session').then(({ user, isModerator }) => ({ ...user, isModerator }))
known.then(
  ({ username, isAdmin, isModerator }) => {
    const account = find('.top .account')
    if (account) account.textContent = username
    const admin = find('.top .for-admins')
    if (admin) admin.hidden = !isAdmin && !isModerator
  },
  () => undefined, // the session has ended: the link “Account” leads to the login
)
