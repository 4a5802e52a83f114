// What a push message of an alert says, in the language of its browser.
import { plural } from '../../platform/text.ts'
import type { AlertMessage } from './browsers.sql.ts'

interface Facts {
  server: string
  players: number
  threshold: number
  /** Time of the next wipe: `19:00 UTC`. */
  time: string
}

const TEXTS = {
  en: {
    title: {
      playersAtLeast: ({ server, players }: Facts) => `${server}: ${plural(players, 'person', 'people')}`,
      playersAtMost: ({ server, players }: Facts) => `${server}: ${plural(players, 'person', 'people')}`,
      backOnline: ({ server }: Facts) => `${server} is back online`,
      wipeSoon: ({ server }: Facts) => `${server} wipes soon`,
    },
    body: {
      playersAtLeast: ({ threshold }: Facts) => `You wanted to know when there are ${threshold} or more.`,
      playersAtMost: ({ threshold }: Facts) => `You wanted to know when there are ${threshold} or fewer.`,
      backOnline: () => 'It answers again after an outage.',
      wipeSoon: ({ time }: Facts) => `The next wipe is at ${time}.`,
    },
    open: 'Open',
    off: 'End this alert',
  },
  de: {
    title: {
      playersAtLeast: ({ server, players }: Facts) => `${server}: ${plural(players, 'Person', 'Leute')}`,
      playersAtMost: ({ server, players }: Facts) => `${server}: ${plural(players, 'Person', 'Leute')}`,
      backOnline: ({ server }: Facts) => `${server} ist wieder online`,
      wipeSoon: ({ server }: Facts) => `${server} wird bald zurückgesetzt`,
    },
    body: {
      playersAtLeast: ({ threshold }: Facts) => `Du wolltest wissen, wann es ${threshold} oder mehr sind.`,
      playersAtMost: ({ threshold }: Facts) => `Du wolltest wissen, wann es ${threshold} oder weniger sind.`,
      backOnline: () => 'Er antwortet wieder nach einem Ausfall.',
      wipeSoon: ({ time }: Facts) => `Der nächste Wipe ist um ${time}.`,
    },
    open: 'Öffnen',
    off: 'Alarm beenden',
  },
}

export function alertText({ kind, threshold, nextWipeAt, serverName, language }: AlertMessage, players = 0) {
  const { title, body, open, off } = TEXTS[language]
  const time = nextWipeAt ? `${nextWipeAt.toISOString().slice(11, 16)} UTC` : ''
  const facts = { server: serverName, players, threshold: threshold ?? 0, time }
  return { title: title[kind](facts), body: body[kind](facts), open, off }
}
