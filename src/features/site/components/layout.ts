// The frame of every page: the header with the menu, and the footer.
import type { Language } from '../texts/index.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'

/** A visitor with a session. Pages that are the same for all lack the name, which `browser/viewer.ts` adds. */
export interface User {
  username?: string
  isAdmin?: boolean
  isModerator?: boolean
}

interface LayoutProps {
  content: Content
  /** The page's path. */
  path: string
  /** Undefined: the visitor has no session. */
  user: User | undefined
  /** Whether the site has pages besides the reference. */
  withMenu: boolean
  /** The site's appearance, set by its administrators. */
  look: {
    /** Path of a picture of 64 × 64 pixels. */
    logo: string | undefined
    /** Empty: no link. */
    imprintUrl: string
    privacyUrl: string
  }
  languages: { language: Language; name: string; href: string }[]
}

export function layout(locale: Locale<never>, { content, path, user, withMenu, look, languages }: LayoutProps) {
  const { common } = locale.t
  const { logo, imprintUrl, privacyUrl } = look
  const { nav } = common
  const link = (href: string, name: string) =>
    html`<a href=${locale.href(href)} aria-current=${isWithin(path, href) ? 'page' : null}>${name}</a>`
  return html`
    <a class="skip" href="#main">${common.skip}</a>
    <header class="top">
      <div class="bar">
        <a class="brand" href=${locale.href('/')}>${logo ? html`<img class="logo" src=${logo} width="24" height="24" alt="" />` : productLogo()}<span dir="auto">${common.product}</span></a>
        <button class="quiet-button menu-button" type="button" popovertarget="menu">${nav.menu}</button>
        <nav id="menu" popover="auto" aria-label=${nav.label}>
          ${withMenu && [link('/', nav.servers), link('/games', nav.games), link('/featured', nav.featured), link('/auctions', nav.auctions)]}
          ${link('/docs', nav.docs)}
          <span class="spacer"></span>
          ${
            withMenu && [
              user &&
                html`<a class="for-admins" href=${locale.href('/admin')} hidden=${!user.isAdmin && !user.isModerator} aria-current=${isWithin(path, '/admin') ? 'page' : null}>${nav.admin}</a>`,
              link('/my/servers/new', nav.add),
              link('/my/servers', nav.mine),
              user
                ? html`<a class="account" href=${locale.href('/account')} title=${nav.account} aria-current=${isWithin(path, '/account') ? 'page' : null}>${user.username ?? nav.account}</a>`
                : link('/login', nav.login),
            ]
          }
        </nav>
      </div>
    </header>
    <main id="main" tabindex="-1">${content}</main>
    <footer class="foot">
      <div class="bar">
        <span>${common.footer.about}</span>
        ${withMenu && html`<a href=${locale.href('/contact')}>${common.footer.contact}</a>`}
        ${imprintUrl && html`<a href=${imprintUrl}>${common.footer.imprint}</a>`}
        ${privacyUrl && html`<a href=${privacyUrl} rel="privacy-policy">${common.footer.privacy}</a>`}
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
    : path === href || (path.startsWith(`${href}/`) && path !== '/my/servers/new')

const productLogo = () => html`
  <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="currentColor" />
    <g class="logo-rows"><rect x="6" y="7" width="20" height="5" rx="1.5" /><rect x="6" y="14" width="20" height="5" rx="1.5" /><rect x="6" y="21" width="20" height="5" rx="1.5" /></g>
    <g class="logo-lights"><circle cx="22.5" cy="9.5" r="1.5" /><circle cx="22.5" cy="16.5" r="1.5" /><circle cx="22.5" cy="23.5" r="1.5" /></g>
  </svg>
`
