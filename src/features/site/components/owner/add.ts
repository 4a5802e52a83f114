// The steps of adding a server: its address, its game, and how it will be listed.
import { field, form, hiddenFields, type RefusedForm, refusal, refusedOf } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { notice } from '../parts.ts'
import { serverRow } from '../server-row.ts'
import type { Row, Schemas } from '../types.ts'
import { descriptionField } from './description.ts'
import { ownerPath, PORT } from './frame.ts'

export type AddLocale = Locale<'add' | 'owner' | 'forms' | 'directory'>
type Found = Schemas['ServerRecognition']

export interface AddData {
  /** The values of the form that was sent last. */
  typed: Record<string, string>
  found: Found | undefined
  isBusy: boolean
  refused: RefusedForm | undefined
  /** The description as HTML, after its preview button was pressed. */
  preview: string | undefined
  games: GameChoice[]
}

export interface GameChoice {
  name: string
  /** Short forms of the name that people type. */
  shortForms: string
}

const ADDRESS = { required: true, maxlength: 500, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }

export function addView(locale: AddLocale, data: AddData) {
  const { add } = locale.t
  const { found } = data
  return html`
    <div class="area stack add-server">
      <header class="stack"><h1>${add.title}</h1><p class="quiet">${add.lead}</p></header>
      <ol class="steps">
        ${addressStep(locale, data)}
        ${found && gameStep(locale, found, data)}
        ${found?.game && !found.listedId && lookStep(locale, found, data)}
      </ol>
    </div>
  `
}

function addressStep(locale: AddLocale, { typed, found, isBusy, refused }: AddData) {
  const { add } = locale.t
  const ofStep = refused?.form.action === 'find' && !refused.form.found ? refused : undefined
  return html`
    <li class="card stack">
      <h2>${add.address}</h2>
      ${notice('bad', isBusy && add.busy)} ${refusal(locale, ofStep)}
      <form method="post" action="#found" class="stack" data-wait=${add.finding}>
        ${hiddenFields({ action: 'find' })}
        ${field({ name: 'address', label: add.addressLabel, hint: add.addressHint, value: typed.address, refused: ofStep, ...ADDRESS, autofocus: !found })}
        <div><button type="submit" class=${found ? 'quiet-button' : null}>${add.find}</button></div>
      </form>
    </li>
  `
}

function gameStep(locale: AddLocale, found: Found, { typed, refused, games }: AddData) {
  const { add } = locale.t
  const ofStep = refused?.form.action === 'find' && refused.form.found ? refused : undefined
  const { gameName, queryPort, connectAddress, result, listedId } = found
  const isAnswered = result.outcome === 'answered'
  const ask = html`
    <form method="post" action="#found" class="form" data-wait=${add.finding}>
      ${hiddenFields({ action: 'find', address: typed.address, found: JSON.stringify(found) })}
      ${field({ name: 'game', label: add.gameLabel, hint: add.gameHint, value: isAnswered ? '' : gameName, refused: ofStep, required: true, maxlength: 100, list: 'games', autocomplete: 'off' })}
      ${gameList(games)}
      ${field({ name: 'queryPort', label: add.queryPort, hint: add.queryPortHint, value: isAnswered ? '' : typed.queryPort, refused: ofStep, ...PORT })}
      <div><button type="submit" class="quiet-button">${add.again}</button></div>
    </form>
  `
  return html`
    <li class="card stack" id="found">
      <h2>${add.game}</h2>
      ${
        isAnswered
          ? html`
            <p class="notice is-good" role="status">${looksLike(locale, gameName ?? '', result)}</p>
            ${listedId === null && html`<details open=${ofStep !== undefined}><summary>${add.otherGame}</summary>${refusal(locale, ofStep)}${ask}</details>`}
          `
          : html`
            <div class="notice is-warn stack" role="status">
              <p><b>${locale.say(gameName ? add.silentGame : add.silent, { game: gameName ?? '', address: connectAddress, port: String(queryPort) })}</b></p>
              <p>${add.reasons[result.outcome]} ${gameName ? !listedId && add.anyway : add.chooseGame}</p>
            </div>
            ${refusal(locale, ofStep)}${ask}
          `
      }
      ${listedId && html`<p><b>${add.listed}</b> <a href=${locale.href(ownerPath(listedId, 'claim'))}>${add.claimIt}</a></p>`}
    </li>
  `
}

function looksLike(
  locale: AddLocale,
  game: string,
  result: Extract<Found['result'], { outcome: 'answered' }>,
): Content {
  const { name, players, maxPlayers, map, queryMs } = result
  const text = locale.say(locale.t.add.looksLike, {
    game: `\0${game}\0`,
    name,
    now: locale.number(players),
    n: maxPlayers,
  })
  const [before, named, after] = text.split('\0')
  const more = [map, queryMs !== null && `${locale.number(queryMs)} ms`].filter(Boolean).join(' · ')
  return html`<span dir="auto">${before}<b>${named}</b>${after}</span>${more && html`<br /><span class="hint" dir="auto">${more}</span>`}`
}

/** The games to choose from: browsers search in names and in short forms. */
const gameList = (games: readonly GameChoice[]) => html`
  <datalist id="games">${games.map(({ name, shortForms }) => html`<option value=${name} label=${shortForms || null} />`)}</datalist>
`

function lookStep(locale: AddLocale, found: Found, { refused, preview }: AddData) {
  const { add, owner } = locale.t
  const ofStep = refusedOf(refused, 'create')
  const name = ofStep?.form.name ?? (found.result.outcome === 'answered' ? found.result.name : '')
  return html`
    <li class="card stack">
      <h2>${add.look}</h2>
      <figure>
        <div class="looks" inert><ol class="servers">${serverRow(locale, rowOf(found, name), 1)}</ol></div>
        <figcaption class="hint">${add.lookHint}</figcaption>
      </figure>
      ${refusal(locale, ofStep?.code ? ofStep : undefined)}
      ${form(add.save, { action: 'create', found: JSON.stringify(found) })`
        ${field({ name: 'name', label: owner.add.name, value: name, refused: ofStep, required: true, minlength: 3, maxlength: 100 })}
        ${descriptionField(locale, { refused: ofStep, preview })}
        ${field({ name: 'tags', label: owner.add.tags, hint: owner.add.tagsHint, refused: ofStep })}
      `}
    </li>
  `
}

/** The row that lists will show for the server. */
function rowOf({ game, gameName, connectAddress, hasPassword, result }: Found, name: string): Row {
  const isOnline = result.outcome === 'answered'
  const { players: currentPlayers, maxPlayers, map } = isOnline ? result : { players: 0, maxPlayers: 0, map: '' }
  return {
    id: 'new',
    name: name || connectAddress,
    connectAddress,
    game: game ?? '',
    gameName: gameName ?? '',
    gameMode: '',
    country: '',
    tags: '',
    map,
    isOnline,
    hasPassword,
    currentPlayers,
    currentBots: 0,
    maxPlayers,
    logoUrl: null,
    isVerified: false,
    isFeatured: false,
    createdAt: '',
    lastWipeAt: null,
    totalVotes: 0,
    monthlyVotes: 0,
    playersByHour: [],
    standing: { month: '', place: null, previousPlace: null },
  }
}
