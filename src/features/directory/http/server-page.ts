// The page about one server that mails link to.
import type { Pages } from '../../../platform/http/pages.ts'

const own = (name: string) => new URL(`pages/${name}`, import.meta.url)

export const serverPages: Pages = {
  '/server': { title: 'Game server', content: own('server.html'), script: '/pages/server.js' },
  '/pages/server.js': own('server.js'),
}

/** The id is in the fragment, so that one cached file is the page of all servers. */
export const serverLink = (base: string, serverId: string): string => `${base}/server#${serverId}`
