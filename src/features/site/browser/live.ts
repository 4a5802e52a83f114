// Makes a page live: renders its component again over what the server sent, with the same data and texts.
import { hydrate, render, type VNode } from 'preact'
import { html } from '../components/html.ts'
import { createLocale, type Locale, type LocaleOptions } from '../components/locale.ts'
import type { Texts } from '../texts/index.ts'
import { copyOnClick } from './copy.ts'

export interface LivePage<Data, Part extends keyof Texts> {
  locale: Locale<Part>
  data: Data
  /** Shows the page with other data. */
  show(data: Data): void
}

/** Reads the locale and the data that the server embedded in the page. */
export function readPage<Data, Part extends keyof Texts>(): { locale: Locale<Part>; data: Data } {
  const { data, ...options } = JSON.parse(document.querySelector('#page')?.textContent ?? '{}') as LocaleOptions & {
    data: Data
  }
  return { locale: createLocale<Part>(options), data }
}

/** @param view the `view` of the page's declaration */
export function live<Data, Part extends keyof Texts>(
  view: (locale: Locale<Part>, data: Data) => VNode,
): LivePage<Data, Part> {
  const { locale, data } = readPage<Data, Part>()
  const main = document.querySelector('main') as HTMLElement
  const page: LivePage<Data, Part> = {
    locale,
    data,
    show(next) {
      page.data = next
      render(html`${view(locale, next)}`, main)
    },
  }
  hydrate(view(locale, data), main)
  copyOnClick(locale)
  return page
}
