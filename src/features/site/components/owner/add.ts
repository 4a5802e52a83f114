// Adding a server, after a look at its address.
import { area, choice, field, form, hiddenFields, type RefusedForm } from '../fields.ts'
import { type Content, html } from '../html.ts'
import { card, crumb, notice } from '../parts.ts'
import { refusal, refusedOf } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { type OwnerLocale, ownerPath, PORT } from './frame.ts'

export interface AddData {
  games: readonly (readonly [id: string, name: string])[]
  /** What was typed. */
  typed: Record<string, string>
  probe: Schemas['ServerProbe'] | undefined
  problem: 'busy' | undefined
  refused: RefusedForm | undefined
}

export function addView(locale: OwnerLocale, { games, typed, probe, problem, refused }: AddData) {
  const { add, list } = locale.t.owner
  const ofProbe = refusedOf(refused, 'probe')
  const ofCreate = refusedOf(refused, 'create')
  const given = ofCreate?.form ?? typed
  const address = Object.fromEntries(
    ['game', 'ipAddress', 'gamePort', 'queryPort'].map((name) => [name, given[name] ?? '']),
  )
  return html`
    <div class="area stack">
      <header>${crumb(locale, '/my/servers', list.title)}<h1>${add.title}</h1></header>
      ${notice('bad', problem && add.busy)}
      ${refusal(locale, refused)}
      ${probe && probeResult(locale, probe)}
      ${
        (probe || ofCreate) &&
        !probe?.listedId &&
        card(add.details)`
          ${form(add.save, { action: 'create', ...address })`
            ${field({ name: 'name', label: add.name, value: probe?.result.outcome === 'answered' ? probe.result.name : undefined, refused: ofCreate, required: true, minlength: 3, maxlength: 100 })}
            ${area({ name: 'description', label: add.description, refused: ofCreate, maxlength: 2000 })}
            ${field({ name: 'tags', label: add.tags, hint: add.tagsHint, refused: ofCreate })}
          `}
        `
      }
      <section class="card stack">
        <p class="quiet">${add.lead}</p>
        <form method="post" class="form" data-wait=${add.checking}>
          ${hiddenFields({ action: 'probe' })}
          ${choice({ name: 'game', label: add.game, value: given.game, refused: ofProbe, options: games })}
          ${field({ name: 'ipAddress', label: add.address, hint: add.addressHint, value: given.ipAddress, refused: ofProbe ?? ofCreate, required: true, maxlength: 300, autocomplete: 'off', autocapitalize: 'none', spellcheck: false })}
          <div class="pair-fields">
            ${field({ name: 'gamePort', label: add.gamePort, hint: add.gamePortHint, value: given.gamePort, refused: ofProbe ?? ofCreate, required: true, ...PORT })}
            ${field({ name: 'queryPort', label: add.queryPort, hint: add.queryPortHint, value: given.queryPort, refused: ofProbe ?? ofCreate, ...PORT })}
          </div>
          <div><button type="submit" class=${probe ? 'quiet-button' : ''}>${add.check}</button></div>
        </form>
      </section>
    </div>
  `
}

function probeResult(locale: OwnerLocale, probe: Schemas['ServerProbe']): Content {
  const { add } = locale.t.owner
  const { listedId, result } = probe
  return html`
    <section class="notice stack ${result.outcome === 'answered' ? 'is-good' : 'is-warn'}" role="status" id="probe">
      ${
        result.outcome === 'answered'
          ? html`
            <p><b>${add.answered}</b> · <span dir="auto">${result.name}</span></p>
            <p class="hint" dir="auto">${[locale.say(locale.t.common.playersOf, { now: result.players, n: result.maxPlayers }), result.map, result.version, result.queryMs !== null && `${locale.number(result.queryMs)} ms`].filter(Boolean).join(' · ')}</p>
          `
          : html`
            <p><b>${locale.say(add.silent, { address: probe.ipAddress, port: String(probe.queryPort) })}</b></p>
            <p>${add.reasons[result.outcome]}</p>
            ${!listedId && result.outcome !== 'refused' && html`<p>${add.anyway}</p>`}
          `
      }
      ${listedId && html`<p><b>${add.listed}</b> <a href=${locale.href(ownerPath(listedId, 'claim'))}>${add.claimIt}</a></p>`}
    </section>
  `
}
