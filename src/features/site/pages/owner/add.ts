// Adding a server, after a look at its address.
import { area, choice, field, form, hiddenFields, refusal, refusedOf } from '../../components/fields.ts'
import { type Content, html } from '../../components/html.ts'
import { type OwnerLocale, ownerPath, PORT } from '../../components/owner/frame.ts'
import { breadcrumb, card, notice } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { given, numberOf } from '../../form.ts'
import { orBusy, page } from '../../page.ts'
import { gameNames, OWNER } from './page.ts'

/** What the page shows after a look at an address. */
interface Reply {
  typed: Record<string, string>
  probe: Schemas['ServerProbe']
  problem: 'busy'
}

export const addPage = page({
  ...OWNER,
  path: '/my/servers/new',
  script: 'buttons.ts',
  async data({ api, refused, once }) {
    const games = await gameNames(api)
    const { typed = {}, probe, problem } = (once ?? {}) as Partial<Reply>
    return { games, typed, probe, problem, refused }
  },
  head: (locale) => ({ title: locale.t.owner.add.title, noindex: true }),
  view(locale, { games, typed, probe, problem, refused }) {
    const { add, list } = locale.t.owner
    const ofProbe = refusedOf(refused, 'probe')
    const ofCreate = refusedOf(refused, 'create')
    const { game = '', ipAddress = '', gamePort = '', queryPort = '' } = ofCreate?.form ?? typed
    return html`
      <div class="area stack">
        <header>${breadcrumb(locale, '/my/servers', list.title)}<h1>${add.title}</h1></header>
        ${notice('bad', problem && add.busy)}
        ${refusal(locale, refused)}
        ${probe && probeResult(locale, probe)}
        ${
          (probe || ofCreate) &&
          !probe?.listedId &&
          card(add.details)`
            ${form(add.save, { action: 'create', game, ipAddress, gamePort, queryPort })`
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
            ${choice({ name: 'game', label: add.game, value: game, refused: ofProbe, options: games })}
            ${field({ name: 'ipAddress', label: add.address, hint: add.addressHint, value: ipAddress, refused: ofProbe ?? ofCreate, required: true, maxlength: 300, autocomplete: 'off', autocapitalize: 'none', spellcheck: false })}
            <div class="pair-fields">
              ${field({ name: 'gamePort', label: add.gamePort, hint: add.gamePortHint, value: gamePort, refused: ofProbe ?? ofCreate, ...PORT })}
              ${field({ name: 'queryPort', label: add.queryPort, hint: add.queryPortHint, value: queryPort, refused: ofProbe ?? ofCreate, ...PORT })}
            </div>
            <div><button type="submit" class=${probe ? 'quiet-button' : ''}>${add.check}</button></div>
          </form>
        </section>
      </div>
    `
  },
  async post({ api, form, locale }) {
    const { action, ipAddress = '', game = '', name = '', description = '', tags = '' } = form
    const ports = given({ gamePort: numberOf(form.gamePort), queryPort: numberOf(form.queryPort) })
    const address = { ipAddress, game, ...ports }
    if (action === 'create') {
      const { server } = await api.post('/servers', { body: { ...address, name, description, tags } })
      return locale.href(ownerPath(server.id, 'claim'), { new: 'true' })
    }
    const probe = await orBusy(api.post('/servers/probe', { body: address }))
    return { typed: form, ...(probe === 'busy' ? { problem: 'busy' } : { probe }) }
  },
})

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
            ${!listedId && html`<p>${add.anyway}</p>`}
          `
      }
      ${listedId && html`<p><b>${add.listed}</b> <a href=${locale.href(ownerPath(listedId, 'claim'))}>${add.claimIt}</a></p>`}
    </section>
  `
}
