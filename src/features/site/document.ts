// A page as an HTML document: its head, the layout, and the data that makes it live.
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { iconOf } from '../../platform/http/pages.ts'
import { cutText } from '../../platform/text.ts'
import type { Appearance } from '../appearance/index.ts'
import type { Assets } from './assets.ts'
import { html } from './components/html.ts'
import { layout, type User } from './components/layout.ts'
import type { Locale } from './components/locale.ts'
import type { PageHead } from './page.ts'
import { LANGUAGES, TEXTS, type Texts } from './texts/index.ts'

/** Maximum length of a description: search engines and chats show no more. */
const MAX_DESCRIPTION = 300

interface DocumentParts {
  locale: Locale
  head: PageHead
  content: VNode
  /** The path, and the parameters that the page declares. */
  url: URL
  user: User | undefined
  /** Module that makes the page live, with the data and the texts it needs. */
  live?: { script: string; data: object; texts: readonly (keyof Texts)[] } | undefined
}

interface DocumentOptions {
  /** Whether the header has a menu with the pages for visitors. */
  withMenu: boolean
  /** How the site looks now. */
  appearance(): Appearance
}

export function createDocument(assets: Assets, { withMenu, appearance }: DocumentOptions) {
  return ({ locale, head, content, url, user, live }: DocumentParts): string => {
    const { origin, pathname } = url
    const { language, isChosen, t } = locale
    const { common } = t
    const look = appearance()
    const icon = iconOf(look)
    const title = `${head.title} · ${common.product}`
    const plain = new URL(head.canonical ?? pathname, origin)
    const canonical = isChosen ? addressIn(plain, language) : plain.href
    const embedded = live && {
      language,
      isChosen,
      data: live.data,
      texts: Object.fromEntries((['common', ...live.texts] as const).map((part) => [part, t[part]])),
    }
    const body = layout(locale, {
      content,
      path: pathname,
      user,
      withMenu,
      look,
      languages: LANGUAGES.map((code) => ({
        language: code,
        name: TEXTS[code].common.language,
        href: addressIn(url, code).slice(origin.length),
      })),
    })
    const description = head.description && cutText(head.description, MAX_DESCRIPTION)
    const parts = html`
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      ${meta('name', 'description', description)} ${head.noindex ? meta('name', 'robots', 'noindex') : ''}
      <meta name="color-scheme" content="light dark" />
      ${head.leadsTo && html`<meta http-equiv="refresh" content=${`0;url=${head.leadsTo}`} />`}
      ${head.refreshSeconds && html`<noscript><meta http-equiv="refresh" content=${String(head.refreshSeconds)} /></noscript>`}
      ${
        !head.noindex &&
        html`
        <link rel="canonical" href=${canonical} />
        ${LANGUAGES.map((code) => html`<link rel="alternate" hreflang=${code} href=${addressIn(plain, code)} />`)}
        <link rel="alternate" hreflang="x-default" href=${plain.href} />
      `
      }
      ${meta('property', 'og:title', head.title)} ${meta('property', 'og:description', description)}
      ${meta('property', 'og:site_name', common.product)} ${meta('property', 'og:url', canonical)}
      ${meta('property', 'og:type', 'website')} ${head.image && preview(origin, head.image)}
      <link rel="icon" type=${icon.type} href=${icon.path} />
      <link rel="stylesheet" href=${assets.href('site.css')} />
      ${head.styles && html`<link rel="stylesheet" href=${assets.href(head.styles)} />`}
      ${look.style && html`<link rel="stylesheet" href=${look.style} />`}
      <script type="importmap" dangerouslySetInnerHTML=${{ __html: assets.importMap }}></script>
      ${
        live &&
        html`
        ${assets.modulesOf(live.script).map((href) => html`<link rel="modulepreload" href=${href} />`)}
        <script type="module" src=${assets.href(live.script)}></script>
      `
      }
      ${user && user.username === undefined && html`<script type="module" src=${assets.href('browser/viewer.ts')}></script>`}
      ${head.jsonLd && html`<script type="application/ld+json" dangerouslySetInnerHTML=${{ __html: json(head.jsonLd) }}></script>`}
    `
    return (
      `<!doctype html>\n<html lang="${language}">\n<head>${renderToString(parts)}</head>\n` +
      `<body${head.isWide ? ' class="is-wide"' : ''}>${renderToString(body)}` +
      `${embedded ? `<script type="application/json" id="page">${json(embedded)}</script>` : ''}</body>\n</html>\n`
    )
  }
}

const meta = (attribute: 'name' | 'property', name: string, value: string | undefined) =>
  value === undefined ? '' : html`<meta ...${{ [attribute]: name }} content=${value} />`

/**
 * Tags of the preview image. With a size, chats show it large at once
 * (docs/decisions/0061-cards.md). X reads `og:` too.
 */
const preview = (origin: string, { path, width, height, alt }: NonNullable<PageHead['image']>) => [
  meta('property', 'og:image', origin + path),
  meta('property', 'og:image:type', 'image/png'),
  meta('property', 'og:image:width', String(width)),
  meta('property', 'og:image:height', String(height)),
  meta('property', 'og:image:alt', alt),
  meta('name', 'twitter:card', 'summary_large_image'),
]

/** JSON that can't end the script element around it. */
const json = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The same address with another `?lang=`. */
function addressIn(url: URL, language: string): string {
  const changed = new URL(url)
  changed.searchParams.set('lang', language)
  return changed.href
}
