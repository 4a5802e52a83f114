// The frame of every page: the header with the menu, and the footer.
import type { Language } from '../texts/index.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'

/** A visitor with a session. Who it is, only pages with a login read. */
export interface User {
  username?: string
  isAdmin?: boolean
  isModerator?: boolean
}

interface LayoutProps {
  content: Content
  /** Of the page. */
  path: string
  /** Undefined: without a session. */
  user: User | undefined
  /** Whether there are pages besides the reference. */
  withMenu: boolean
  languages: { language: Language; name: string; href: string }[]
}

export function layout(locale: Locale<never>, { content, path, user, withMenu, languages }: LayoutProps) {
  const { common } = locale.t
  const { nav } = common
  const link = (href: string, name: string) =>
    html`<a href=${locale.href(href)} aria-current=${isWithin(path, href) ? 'page' : null}>${name}</a>`
  return html`
    <a class="skip" href="#main">${common.skip}</a>
    <header class="top">
      <div class="bar">
        <a class="brand" href=${locale.href('/')}>${logo()}<span>${common.product}</span></a>
        <nav aria-label=${nav.label}>
          ${withMenu && [link('/', nav.servers), link('/games', nav.games), link('/featured', nav.featured), link('/auctions', nav.auctions)]}
          ${link('/docs', nav.docs)}
          <span class="spacer"></span>
          ${
            withMenu && [
              (user?.isAdmin || user?.isModerator) && link('/admin', nav.admin),
              link('/my/servers', nav.mine),
              user ? link('/account', user.username ?? nav.account) : link('/login', nav.login),
            ]
          }
        </nav>
      </div>
    </header>
    <main id="main" tabindex="-1">${content}</main>
    <footer class="foot">
      <div class="bar">
        <span>${common.footer.about}</span>
        <nav aria-label=${common.footer.language}>
          ${languages.map(
            ({ language, name, href }) =>
              html`<a href=${href} lang=${language} hreflang=${language} rel="alternate" aria-current=${language === locale.language ? 'true' : null}>${name}</a>`,
          )}
        </nav>
      </div>
    </footer>
  `
}

const isWithin = (path: string, href: string) =>
  href === '/'
    ? path === '/' || path.startsWith('/servers') || path.startsWith('/vote/')
    : path === href || path.startsWith(`${href}/`)

const logo = () => html`
  <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="currentColor" />
    <g class="logo-rows"><rect x="6" y="7" width="20" height="5" rx="1.5" /><rect x="6" y="14" width="20" height="5" rx="1.5" /><rect x="6" y="21" width="20" height="5" rx="1.5" /></g>
    <g class="logo-lights"><circle cx="22.5" cy="9.5" r="1.5" /><circle cx="22.5" cy="16.5" r="1.5" /><circle cx="22.5" cy="23.5" r="1.5" /></g>
  </svg>
`
