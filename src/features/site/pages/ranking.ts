// How servers are ranked, in plain words, with the numbers of the formula.
import { monthOfTime } from '../../../platform/months.ts'
import { HALF_LIFE_DAYS, MAX_PEOPLE, playedVotes } from '../../votes/index.ts'
import { html } from '../components/html.ts'
import { table } from '../components/lists.ts'
import { card } from '../components/parts.ts'
import { page } from '../page.ts'

const AGES = [0, 5, 10, 20, 40, 60]
const PEOPLE = [1, 5, 20, 60, MAX_PEOPLE]

export const rankingPage = page({
  path: '/ranking',
  texts: ['ranking'],
  shared: true,
  data: () => ({
    month: monthOfTime(Date.now()),
    fading: AGES.map((days) => ({ days, weight: 2 ** (-days / HALF_LIFE_DAYS) })),
    playing: PEOPLE.map((people) => ({ people, votes: 24 * playedVotes(people) })),
  }),
  head: ({ t: { ranking } }) => ({ title: ranking.title, description: ranking.description }),
  view(locale, { month, fading, playing }) {
    const { ranking } = locale.t
    const row = (name: string, value: number) =>
      html`<tr><td>${name}</td><td>${locale.number(Math.round(value * 100) / 100)}</td></tr>`
    return html`
      <div class="stack">
        <h1>${ranking.title}</h1>
        <p>${ranking.lead}</p>
        <p><b>${ranking.formula}</b></p>
        ${card(ranking.votes)`
          <p>${locale.say(ranking.votesText, { days: HALF_LIFE_DAYS })}</p>
          ${table(
            ranking.votes,
            [ranking.age, ranking.counts],
            fading.map(({ days, weight }) => row(locale.say(ranking.ageOf, { n: days }), weight)),
          )}
        `}
        ${card(ranking.playing)`
          <p>${locale.say(ranking.playingText, { most: MAX_PEOPLE })}</p>
          ${table(
            ranking.playing,
            [ranking.players, ranking.votesADay],
            playing.map(({ people, votes }) => row(locale.number(people), votes)),
          )}
        `}
        ${card(ranking.uptime)`<p>${ranking.uptimeText}</p>`}
        ${card(ranking.rest)`
          <p>${ranking.restText}</p>
          <p>${ranking.api} <a href=${locale.href('/docs/getServerRank')}>${ranking.apiLink}</a></p>
        `}
        <p class="row">
          <a class="button" href=${locale.href('/')}>${ranking.list}</a>
          <a class="button quiet-button" href=${locale.href(`/top/${month}`)}>${ranking.month}</a>
        </p>
      </div>
    `
  },
})
