// How a page is declared: its address, its data from the API, its head and its component.
import type { VNode } from 'preact'
import type { Client } from './api.ts'
import type { User } from './components/layout.ts'
import type { Locale } from './components/locale.ts'
import type { Texts } from './texts/index.ts'

export interface PageHead {
  /** Without the product's name. */
  title: string
  description?: string
  /** Path and query, without a language, of the address that search engines keep; default: the page's path. */
  canonical?: string
  noindex?: boolean
  /** Path of the preview image. */
  image?: string
  /** Structured data (schema.org). */
  jsonLd?: object
}

/** A form that the API refused. The page is shown again with the message and what was typed, without passwords and tokens. */
export interface Refused {
  status: number
  code: string
  message: string
  fields: Record<string, unknown>
  form: Record<string, string>
}

/** Of the reply to a form, and gone when the page is loaded again: a new secret, what a game server answered. */
export type Once = Readonly<Record<string, unknown>>

export interface PageInput<Part extends keyof Texts = keyof Texts> {
  /** Calls operations as the visitor: their session counts, and errors become the page's. */
  api: Client
  params: Record<string, string>
  /** Only the parameters that the page declares; empty ones are left out, repeated ones joined by commas. */
  query: Record<string, string>
  locale: Locale<Part>
  /** The logged-in user on pages with `access`. */
  user: User | undefined
  /** After a form that the API refused. */
  refused: Refused | undefined
  /** What `post` returned to be shown once. */
  once: Once | undefined
  /** `PUBLIC_BASE_URL`. */
  origin: string
}

export interface FormInput<Part extends keyof Texts = keyof Texts> extends PageInput<Part> {
  form: Record<string, string>
  /** The id of a visitor who votes without scripts; sets its cookie at the first use. */
  visitor(): string
}

export interface PageDeclaration<Data extends object, Part extends keyof Texts> {
  /** With parameters in braces: `/servers/{id}`. */
  path: `/${string}`
  /** Parts of the texts that the page shows besides `common`. */
  texts: readonly Part[]
  /** Others are led to `/login`, or get 403. */
  access?: 'session' | 'admin'
  /** The same for all visitors, besides the menu of those with a session: rendered once, until the directory changes. */
  shared?: boolean
  query?: readonly string[]
  /** Module below `browser/` that makes the page live. It gets what `data` returned. */
  script?: `${string}.ts`
  /** @throws ApiError shown as the page of its status */
  data(input: PageInput<Part>): Data | Promise<Data>
  head(locale: Locale<Part>, data: Data, origin: string): PageHead
  /** The content of `<main>`. */
  view(locale: Locale<Part>, data: Data): VNode
  /**
   * Handles a form of the page, which works without scripts. Foreign origins are refused before.
   * @returns the path to continue at, or what the page shows once
   * @throws ApiError with it the page is shown again, as `refused`
   */
  post?(input: FormInput<Part>): Promise<string | Once>
}

/** A declaration whose types are no longer needed. */
export type Page = PageDeclaration<object, keyof Texts>

export const page = <Data extends object, Part extends keyof Texts>(declaration: PageDeclaration<Data, Part>): Page =>
  declaration as unknown as Page
