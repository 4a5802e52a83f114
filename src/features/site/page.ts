// How a page is declared: its address, its data from the API, its head and its view.

import type { VNode } from 'preact'
import { ApiError } from '../../platform/http/errors.ts'
import type { StaffAccess } from '../../platform/http/staff-access.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { Appearance } from '../appearance/index.ts'
import type { Client } from './components/client.ts'
import type { RefusedForm } from './components/fields.ts'
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
  /** Whether it needs more than the width of text. Known before the content arrives, so that nothing moves. */
  isWide?: true
  /** A style sheet besides the one of all pages. */
  styles?: `${string}.css`
  /** The preview image. */
  image?: { path: string; width: number; height: number; alt: string }
  /** Another origin, where the page leads at once: a form may not (Content-Security-Policy). */
  leadsTo?: string
  /** Without scripts, the page is loaded again after so many seconds. */
  refreshSeconds?: number
  /** Structured data (schema.org). */
  jsonLd?: object
}

/** Thrown by the data of a page that has another address now: the visitor is led there, for good. */
export class PermanentRedirect extends Error {
  /** Without a query; the declared parameters of the request are kept. */
  readonly path: string
  constructor(path: string) {
    super(`moved to ${path}`)
    this.path = path
  }
}

/** Thrown by the data of a page: what is asked for now is at this address of the site, with its query. */
export class TemporaryRedirect extends Error {
  readonly path: string
  constructor(path: string) {
    super(`at ${path}`)
    this.path = path
  }
}

/** Of the reply to a form, and gone when the page is loaded again: a new secret, what a game server answered. */
export type ShownOnce = Readonly<Record<string, unknown>>

/** The names in the braces of a path. */
type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never

export interface PageInput<Part extends keyof Texts = keyof Texts, Path = never> {
  /** Calls operations as the visitor: their session counts, and errors become the page's. */
  api: Client
  /** Who it is, only on pages with `access`. */
  user: User | undefined
  /** For a page that follows servers, to be called before it reads them. @throws ApiError 503 like the directory */
  cursor(): string
  params: Record<ParamsOf<Path>, string>
  /** Only the parameters that the page declares; empty ones are left out, repeated ones joined by commas. */
  query: Record<string, string>
  locale: Locale<Part>
  /** A form that the API refused. The page is shown again with what was typed, without passwords and tokens. */
  refused: RefusedForm | undefined
  /** What `post` returned to be shown once. */
  once: ShownOnce | undefined
  /** How the site looks now. */
  appearance(): Appearance
  /** Servers with a running placement, the best places first. */
  placed(): Promise<readonly string[]>
  /** `PUBLIC_BASE_URL`. */
  origin: string
  /** @returns the OpenAPI document that the API serves */
  describe(): object
  /** The id of the server whose page has this address; the address itself if there is none. @throws ApiError 503 like the directory */
  serverIdOf(address: string): string
}

export interface FormInput<Part extends keyof Texts = keyof Texts, Path = never> extends PageInput<Part, Path> {
  form: Record<string, string>
  /** Of a page with `maxFileBytes`: the file that was chosen. */
  file: Buffer | undefined
  /** The id of a visitor who votes without scripts; sets its cookie at the first use. */
  visitor(): string
}

export interface PageDeclaration<Data extends object, Part extends keyof Texts, Path = `/${string}`> {
  /** With parameters in braces: `/servers/{id}`. */
  path: Path
  /** Parts of the texts that the page shows besides `common`. */
  texts: readonly Part[]
  /** Others are led to `/login`, or get 403. */
  access?: 'session' | StaffAccess
  /** The same for all visitors, besides the menu of those with a session: rendered once, until the directory changes. */
  shared?: boolean
  query?: readonly string[]
  /** Of a page whose forms may have a file: they are sent as `multipart/form-data`. */
  maxFileBytes?: number
  /** Whether a view of it counts for the server that its path names by `id`. */
  countsViews?: boolean
  /** Module below `browser/` that makes the page live. It gets what `data` returned. */
  script?: `${string}.ts`
  /** What of the data the module gets; default: all. */
  embedded?(data: Data): object
  /**
   * @throws ApiError shown as the page of its status
   * @throws PermanentRedirect if the page has another address now, TemporaryRedirect if it shows what another does
   */
  data(input: PageInput<Part, Path>): Data | Promise<Data>
  head(locale: Locale<Part>, data: Data): PageHead
  /** The content of `<main>`. */
  view(locale: Locale<Part>, data: Data): VNode
  /**
   * Handles a form of the page, which works without scripts. Foreign origins are refused before.
   * @returns the path to continue at, or what the page shows once
   * @throws ApiError with it the page is shown again, as `refused`
   */
  post?(input: FormInput<Part, Path>): Promise<string | ShownOnce>
}

/** A declaration whose types are no longer needed. */
export type Page = PageDeclaration<object, keyof Texts>

export const page = <Data extends object, Part extends keyof Texts, Path extends `/${string}`>(
  declaration: PageDeclaration<Data, Part, Path>,
): Page => declaration as unknown as Page

/** @param other instead of an answer that is refused with this status */
export async function fallbackOn<Answer, Other>(status: number, other: Other, answer: Promise<Answer>) {
  return answer.catch((error: unknown): Other => {
    if (error instanceof ApiError && error.status === status) return other
    throw error
  })
}

/** Errors of operations that wait for a worker are displayed on their page instead of the site's page for 503. */
export const orBusy = <Answer>(answer: Promise<Answer>) => fallbackOn(503, 'busy' as const, answer)

/** For what may not exist, or is not listed. */
export const ifFound = <Answer>(answer: Promise<Answer>) => fallbackOn(404, undefined, answer)

/** For operations that members of a server may not call in every role. */
export const ifAllowed = <Answer>(answer: Promise<Answer>) => fallbackOn(403, undefined, answer)

/** Which page of a list the address names. */
export const pageOf = (query: Record<string, string>) => withoutUndefined({ page: query.page as number | undefined })
