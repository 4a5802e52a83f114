// Configurations of reward plugins.
import { copyBlock } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { isListed, type OwnerLocale, ownerPath } from '../../components/owner/frame.ts'
import type { Listing } from '../../components/types.ts'

/** The configurations of docs/VOTES.md with the server's values. */
export function plugins(
  locale: OwnerLocale,
  { server, voteKey, origin }: { server: Listing; voteKey: string | undefined; origin: string },
) {
  const { votes: texts } = locale.t.owner
  const key = voteKey ?? 'vk_…'
  const api = `${origin}/api/plugins/votes`
  const link = `${origin}/servers/${server.id}`
  const lists = (player: string) =>
    [
      `${api}?object=votes&element=claim&key=${key}&${player}`,
      `${api}?action=post&object=votes&element=claim&key=${key}&${player}`,
    ].join('\n')
  const block = (name: string, text: string, games: RegExp) => html`
    <details open=${games.test(server.game)}>
      <summary>${name}</summary>
      ${copyBlock(locale, text)}
    </details>
  `
  return html`
    <section class="card stack blocks">
      <h2>${texts.blocks}</h2>
      ${!voteKey && html`<p class="quiet">${texts.placeholder}</p>`}
      ${isListed(server) && [html`<p class="hint">${texts.link}</p>`, copyBlock(locale, link)]}
      ${block(
        texts.easyVote,
        `"${locale.t.common.product}": {
  "API Claim Reward (GET URL)": "${api}?action=claim&key={0}&steamid={1}",
  "API Vote status (GET URL)": "${api}?action=status&key={0}&steamid={1}",
  "Vote link (URL)": "${origin}/servers/{0}",
  "Site Uses Username Instead of Player Steam ID?": "false"
}`,
        /^rust$/,
      )}
      ${block(
        texts.easyVoteServer,
        `"ServerName1": {
  "${locale.t.common.product}": "${server.id}:${key}"
}`,
        /^rust$/,
      )}
      ${block(texts.lists, lists('username={player}'), /minecraft/)}
      ${block(texts.steam, lists('steamid={steamid}'), /^(ark|asa|ase|unturned|spaceengineers)/)}
      ${block(
        texts.fivem,
        `local endpoints = {
    ["vote"] = "${origin}/servers/%s",
    ["status"] = "${api}?action=status&key=%s&"..Config.identifier.."=%s&customid=%s",
    ["claim"] = "${api}?action=claim&key=%s&"..Config.identifier.."=%s&customid=%s"
}`,
        /fivem|gta5f/,
      )}
      ${block(
        texts.fivemConfig,
        `Config.trackyServerId = "${server.id}"
Config.trackyServerKey = "${key}"
Config.identifier = "steamid"`,
        /fivem|gta5f/,
      )}
      <p>${texts.votifier} <a href=${locale.href(ownerPath(server.id, 'endpoints'))}>${texts.votifierLink}</a></p>
    </section>
  `
}
