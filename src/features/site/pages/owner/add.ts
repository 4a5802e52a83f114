// Adding a server: first its address, which is queried; then the details of the listing.

import { validationFailed } from '../../../../platform/http/errors.ts'
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { findTypesByName, gameName, nearestTypes, shortFormsOf } from '../../../games/index.ts'
import { ServerRecognition } from '../../../listings/index.ts'
import type { Client } from '../../components/client.ts'
import { type Problem, withoutProblems } from '../../components/fields.ts'
import { type AddData, type AddLocale, addView, type GameChoice } from '../../components/owner/add.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { numberOf } from '../../form.ts'
import { htmlOf } from '../../markdown.ts'
import { orBusy, page } from '../../page.ts'

/** The data that the page shows in its reply to a form. */
type Reply = { typed: Record<string, string> } & ({ found: ServerRecognition } | { isBusy: true } | { isPreview: true })

export const addPage = page({
  path: '/my/servers/new',
  access: 'session',
  texts: ['add', 'owner', 'forms', 'directory'],
  query: ['address'],
  script: 'add-server.ts',
  embedded: () => ({}),
  async data({ api, query, refused, once }): Promise<AddData> {
    const reply = once as Reply | undefined
    const typed = refused?.form ?? reply?.typed ?? { address: query.address ?? '' }
    const found = reply && 'found' in reply ? reply.found : foundOf(typed)
    const isPreview = reply !== undefined && 'isPreview' in reply
    return {
      typed: { ...typed, address: typed.address ?? found?.connectAddress ?? '' },
      found,
      isBusy: reply !== undefined && 'isBusy' in reply,
      refused: isPreview ? withoutProblems(typed) : refused,
      preview: isPreview ? htmlOf(typed.description ?? '') : undefined,
      games: found ? await gameChoices(api) : [],
    }
  },
  head: (locale) => ({ title: locale.t.add.title, noindex: true, styles: 'offers.css' }),
  view: addView,
  async post({ api, form, locale }) {
    const { action, address = '', name = '', description = '', tags = '' } = form
    if (action === 'create') {
      if (form.preview) return { typed: form, isPreview: true } satisfies Reply
      const { ipAddress, gamePort, queryPort, game } = foundOf(form) ?? {}
      if (!ipAddress || !game) throw validationFailed([{ path: 'body.address', message: 'is required' }])
      const where = {
        ipAddress,
        game,
        ...withoutUndefined({ gamePort: gamePort ?? undefined, queryPort: queryPort ?? undefined }),
      }
      const { server } = await api.post('/servers', { body: { ...where, name, description, tags } })
      return locale.href(ownerPath(server.id, 'claim'), { new: 'true' })
    }
    const game = form.game?.trim() ? gameTyped(locale, form.game) : undefined
    const body = { address, ...withoutUndefined({ game, queryPort: numberOf(form.queryPort) }) }
    const found = await orBusy(api.post('/servers/recognize', { body }))
    return (found === 'busy' ? { typed: form, isBusy: true } : { typed: form, found }) satisfies Reply
  },
})

/** The earlier result of the query, which the form sends back. A visitor who changes it misleads only themselves. */
function foundOf({ found }: Record<string, string>): ServerRecognition | undefined {
  try {
    return ServerRecognition.safeParse(JSON.parse(found ?? 'null')).data
  } catch {
    return undefined
  }
}

async function gameChoices(api: Client): Promise<GameChoice[]> {
  const { games } = await api.get('/games')
  return games.map(({ id, name }) => ({ name, shortForms: [...new Set(shortFormsOf(id))].join(', ') }))
}

/** @returns the type that a typed name or short form means. @throws ApiError 400, in the visitor's language */
function gameTyped({ t: { add }, say }: AddLocale, typed: string): string {
  const types = findTypesByName(typed)
  const [only, another] = types
  if (only !== undefined && another === undefined) return only
  const near = only ? types : nearestTypes(typed).slice(0, 3)
  const names = near.slice(0, 4).map(gameName).join(', ')
  const message = near.length > 0 ? say(only ? add.ambiguous : add.near, { names }) : add.unknown
  const problem: Problem = { path: 'body.game', message, isTranslated: true, isSentence: true }
  throw validationFailed([problem])
}
