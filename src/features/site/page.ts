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
  /** The page's title, without the product's name. */
  title: string
  description?: string
  /** Path and query, without a language, of the address that search engines keep; default: the page's path. */
  canonical?: string
  noindex?: boolean
  /** Whether the page is wider than text. It is known before the content arrives, so that nothing moves. */
  isWide?: true
  /** A style sheet in addition to the one of all pages. */
  styles?: `${string}.css`
  /** The preview image. */
  image?: { path: string; width: number; height: number; alt: string }
  /** An address of another origin that the page leads to at once: a form may not (Content-Security-Policy). */
  leadsTo?: string
  /** Without scripts, the browser loads the page again after this many seconds. */
  refreshSeconds?: number
  /** Structured data (schema.org). */
  jsonLd?: object
}

/** Thrown by the `data` of a page that has moved permanently: the visitor is redirected with 301. */
export class PermanentRedirect extends Error {
  /** The new path, without a query; the declared parameters of the request are kept. */
  readonly path: string
  constructor(path: string) {
    super(`moved to ${path}`)
    this.path = path
  }
}

/** Thrown by the `data` of a page: the requested content is at this address of the site, which includes its query. */
export class TemporaryRedirect extends Error {
  readonly path: string
  constructor(path: string) {
    super(`at ${path}`)
    this.path = path
  }
}

/**
 * Data that only the reply to a form shows, and that is gone at the next load: a new secret, a game server's answer.
 */
export type ShownOnce = Readonly<Record<string, unknown>>

/** The names in the braces of a path. */
type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never

export interface PageInput<Part extends keyof Texts = keyof Texts, Path = never> {
  /** Calls operations as the visitor, with their session; its errors become the page's. */
  api: Client
  /** The visitor, with a name only on pages with `access`; undefined without a session. */
  user: User | undefined
  /**
   * The feed's position. A page that follows servers calls it before it reads them.
   * @throws ApiError 503 like the directory
   */
  cursor(): string
  params: Record<ParamsOf<Path>, string>
  /** Only the parameters that the page declares; empty ones are left out, repeated ones joined by commas. */
  query: Record<string, string>
  locale: Locale<Part>
  /** What was typed into a form before a login or a confirmation, by the names in the page's `kept`. */
  typed: Record<string, string>
  /** A form that the API refused. The page is shown again with what was typed, without passwords and tokens. */
  refused: RefusedForm | undefined
  /** What `post` returned to be shown once. */
  once: ShownOnce | undefined
  /** The id of a visitor who has voted without scripts, by its cookie; undefined where the page is the same for all. */
  knownVisitor: string | undefined
  /** The site's current appearance. */
  appearance(): Appearance
  /** Servers with a running placement, the best places first. */
  placed(): Promise<readonly string[]>
  /** `PUBLIC_BASE_URL`. */
  origin: string
  /** @returns the OpenAPI document that the API serves */
  describe(): object
  /**
   * The id of the server whose page has this address, or else the address itself.
   * @throws ApiError 503 like the directory
   */
  serverIdOf(address: string): string
}

export interface FormInput<Part extends keyof Texts = keyof Texts, Path = never> extends PageInput<Part, Path> {
  form: Record<string, string>
  /** The file that the visitor chose, on a page with `maxFileBytes`. */
  file: Buffer | undefined
  /** The id of a visitor who votes without scripts; sets its cookie at the first use. */
  visitor(): string
}

export interface PageDeclaration<Data extends object, Part extends keyof Texts, Path = `/${string}`> {
  /** The path with parameters in braces: `/servers/{id}`. */
  path: Path
  /** The parts of the texts that the page needs in addition to `common`. */
  texts: readonly Part[]
  /** Who may see the page; visitors without a session are led to `/login`, others get 403. */
  access?: 'session' | StaffAccess
  /** Whether all visitors get the same page, except for the menu with a session: the page is cached. */
  shared?: boolean
  /**
   * Values of the parameter `done` with which a shared page is made for its visitor alone, to show what a form has done
   * (docs/decisions/0083).
   */
  results?: readonly string[]
  query?: readonly string[]
  /**
   * Fields of the page's forms that must not get lost while the visitor logs in or confirms who they are: then they are
   * parameters of the address that leads back. Not for shared pages, which are the same for all, and not for secrets.
   */
  kept?: readonly string[]
  /** Maximum size of a file, if the page's forms may have one: they are sent as `multipart/form-data`. */
  maxFileBytes?: number
  /** Whether a view of the page counts for the server that its path names by `id`. */
  countsViews?: boolean
  /** Module below `browser/` that makes the page live. It gets what `data` returned. */
  script?: `${string}.ts`
  /** The part of the data that the module gets; default: all. */
  embedded?(data: Data): object
  /**
   * @throws ApiError shown as the page of its status
   * @throws PermanentRedirect if the page has another address now, TemporaryRedirect if another page has its content
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

/** @param other the value that replaces an answer refused with this status */
export async function fallbackOn<Answer, Other>(status: number, other: Other, answer: Promise<Answer>) {
  return answer.catch((error: unknown): Other => {
    if (error instanceof ApiError && error.status === status) return other
    throw error
  })
}

/** Errors of operations that wait for a worker are displayed on their page instead of the site's page for 503. */
export const orBusy = <Answer>(answer: Promise<Answer>) => fallbackOn(503, 'busy' as const, answer)

/** The answer, or undefined if the thing does not exist or is not listed. */
export const ifFound = <Answer>(answer: Promise<Answer>) => fallbackOn(404, undefined, answer)

/** The answer, or undefined if the visitor may not call the operation, such as a server's member in some roles. */
export const ifAllowed = <Answer>(answer: Promise<Answer>) => fallbackOn(403, undefined, answer)

/** The page of a list that the address names. */
export const pageOf = (query: Record<string, string>) => withoutUndefined({ page: query.page as number | undefined })
