// How a server is listed.
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { choice, field, form, refusal, withoutProblems } from '../../components/fields.ts'
import { confirmButton, savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { descriptionField } from '../../components/owner/description.ts'
import { facesCard } from '../../components/owner/faces.ts'
import { mayOn, ownerPath, PORT, proveLink } from '../../components/owner/frame.ts'
import { card } from '../../components/parts.ts'
import { parsed } from '../../components/second-factor.ts'
import type { Listing } from '../../components/types.ts'
import { numberOf } from '../../form.ts'
import { htmlOf } from '../../markdown.ts'
import { changeFace, MAX_PICTURE_BYTES } from './faces.ts'
import { gameNames, ownerPage } from './page.ts'

const ADDRESS = { type: 'url', maxlength: 2000 }

const TEXTS = [
  'name',
  'description',
  'ipAddress',
  'game',
  'tags',
  'gameMode',
  'website',
  'chatUrl',
  'bannerUrl',
  'rates',
  'mods',
  'bedrockAddress',
] as const

/** Converts the listing to the fields of the form. */
const formOf = (server: Listing): Record<string, string> => ({
  ...Object.fromEntries(TEXTS.map((name) => [name, server[name] ?? ''])),
  nameFromServer: String(server.nameFromServer),
  region: server.isRegionDerived ? '' : server.region,
  gamePort: server.gamePortGiven ? String(server.gamePort) : '',
  queryPort: String(server.queryPort),
  bedrockPort: String(server.bedrockPort ?? ''),
})

/** Fields that the API accepts only together. */
const BEDROCK = ['bedrockAddress', 'bedrockPort']

/** Replaces the line ends that browsers send (CRLF). */
const linesOf = (text: string | undefined) => text?.replaceAll('\r\n', '\n')

/** Only the changed fields: another page may have changed the others since this one was displayed. */
function editOf({ before, ...form }: Record<string, string>) {
  const shown = parsed<Record<string, string> | null>(before) ?? {}
  const isChanged = (name: string) => linesOf(form[name]) !== linesOf(shown[name])
  const names = Object.keys(form).filter((name) => (BEDROCK.includes(name) ? BEDROCK : [name]).some(isChanged))
  const edited = Object.fromEntries(names.map((name) => [name, form[name]]))
  const { gamePort, nameFromServer } = edited
  return withoutUndefined({
    ...Object.fromEntries([...TEXTS, 'region'].map((name) => [name, edited[name]])),
    queryPort: numberOf(edited.queryPort),
    bedrockPort: numberOf(edited.bedrockPort),
    // An empty port means that players connect without one.
    gamePort: gamePort === undefined ? undefined : (numberOf(gamePort) ?? null),
    nameFromServer: nameFromServer === undefined ? undefined : nameFromServer === 'true',
  })
}

export const editPage = ownerPage({
  tab: 'edit',
  script: 'buttons.ts',
  maxFileBytes: MAX_PICTURE_BYTES,
  async data({ api, params, once }) {
    const [games, faces] = await Promise.all([gameNames(api), api.get('/servers/{id}/faces', { path: params })])
    return { games, faces, previewed: once?.previewed as Record<string, string> | undefined }
  },
  view(locale, data) {
    const { owner, forms } = locale.t
    const { edit: texts, add, claim } = owner
    const { server, games, previewed } = data
    const refused = previewed ? withoutProblems(previewed) : data.refused
    const modes = ['PvP', 'PvE', 'PvPvE'].map((mode) => [mode, mode] as const)
    const nameSources = [
      ['false', texts.nameFromOwner],
      ['true', texts.nameFromServer],
    ] as const
    // Only the owner may change which game server the listing is about.
    const fixed = mayOn(server, 'own') ? {} : { readonly: true }
    const shown = formOf(server)
    // The original values of the fields; after a refusal, the form has sent them back.
    const before = refused?.form.before ?? JSON.stringify(shown)
    return [
      card(texts.title)`
        ${savedNotice(locale, data.saved)} ${refusal(locale, data.refused?.form.face ? undefined : data.refused)}
        ${form(forms.save, { action: 'edit', before })`
          ${field({ name: 'name', label: add.name, value: server.name, refused, required: true, minlength: 3, maxlength: 100 })}
          ${choice({ name: 'nameFromServer', label: texts.nameFrom, value: String(server.nameFromServer), refused, options: nameSources })}
          ${descriptionField(locale, { value: server.description, refused, preview: previewed && htmlOf(previewed.description ?? '') })}
          ${choice({ name: 'game', label: add.game, value: server.game, refused, options: games })}
          ${field({ name: 'ipAddress', label: add.address, hint: texts.moved, value: server.ipAddress, refused, ...fixed, required: true, maxlength: 300 })}
          <div class="pair-fields">
            ${field({ name: 'gamePort', label: add.gamePort, hint: add.gamePortHint, value: shown.gamePort, refused, ...PORT, ...fixed })}
            ${field({ name: 'queryPort', label: add.queryPort, value: server.queryPort, refused, ...PORT, ...fixed, required: true })}
          </div>
          ${
            server.game === 'minecraft' &&
            html`
              <div class="pair-fields">
                ${field({ name: 'bedrockAddress', label: texts.bedrockAddress, hint: texts.bedrockHint, value: server.bedrockAddress, refused, maxlength: 300, ...fixed })}
                ${field({ name: 'bedrockPort', label: texts.bedrockPort, hint: texts.bedrockPortHint, value: server.bedrockPort ?? undefined, refused, ...PORT, ...fixed })}
              </div>
            `
          }
          <div class="pair-fields">
            ${choice({ name: 'gameMode', label: texts.gameMode, value: server.gameMode, refused, options: [['', texts.noMode], ...modes] })}
            ${field({ name: 'region', label: texts.region, hint: texts.regionHint, value: shown.region, refused, maxlength: 50 })}
          </div>
          ${field({ name: 'tags', label: add.tags, hint: add.tagsHint, value: server.tags, refused })}
          ${field({ name: 'rates', label: texts.rates, hint: texts.ratesHint, value: server.rates, refused })}
          ${field({ name: 'mods', label: texts.mods, hint: texts.modsHint, value: server.mods, refused, maxlength: 2000 })}
          ${field({ name: 'website', label: texts.website, value: server.website, refused, ...ADDRESS })}
          ${field({ name: 'chatUrl', label: texts.chatUrl, hint: texts.chatHint, value: server.chatUrl, refused, ...ADDRESS })}
          ${field({ name: 'bannerUrl', label: texts.bannerUrl, hint: texts.bannerUrlHint, value: server.bannerUrl, refused, ...ADDRESS })}
        `}
      `,
      facesCard(locale, { ...data, maxBytes: MAX_PICTURE_BYTES }),
      mayOn(server, 'own') &&
        card(owner.overview.ownership)`
        <div class="row">
          ${proveLink(locale, server, 'button')}
          ${confirmButton({ fields: { action: 'stop' }, label: claim.stop, warning: claim.stopHint, confirm: claim.stop })}
          ${confirmButton({ fields: { action: 'remove' }, label: texts.remove, warning: texts.removeWarning, confirm: texts.removeConfirm })}
        </div>
      `,
    ]
  },
  async post({ api, form, file, params, locale }) {
    if (form.preview) return { previewed: form }
    if (await changeFace(api, params.id, form, file)) return locale.href(ownerPath(params.id, 'edit'))
    if (form.action === 'remove') {
      await api.delete('/servers/{id}', { path: params })
      return locale.href('/my/servers')
    }
    if (form.action === 'stop') await api.post('/servers/{id}/claim/stop', { path: params })
    else {
      await api.patch('/servers/{id}', { path: params, body: editOf(form) })
    }
    return locale.href(ownerPath(params.id, 'edit'), { saved: form.action })
  },
})
