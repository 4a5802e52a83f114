// The texts of charts, in the languages of the site.
import type { Language } from '../../platform/language.ts'
import type { Range } from '../history/index.ts'

interface ChartTexts {
  ranges: Record<Range, string>
  /** @param range one of `ranges` */
  title(name: string, range: string): string
  players(range: string): string
  uptime: string
  average: string
  peak: string
  noData: string
  noAnswerInTime: string
  legend: { average: string; peak: string; noAnswer: string }
  description(peak: string, average: string, uptime: string): string
}

export const CHART_TEXTS: Record<Language, ChartTexts> = {
  en: {
    ranges: {
      '24h': 'the last 24 hours',
      '7d': 'the last 7 days',
      '30d': 'the last 30 days',
      '90d': 'the last 90 days',
    },
    title: (name, range) => `Players of ${name} in ${range}`,
    players: (range) => `Players in ${range}, UTC`,
    uptime: 'Uptime',
    average: 'Average',
    peak: 'Peak',
    noData: 'No data yet',
    noAnswerInTime: 'No answer in this time',
    legend: { average: 'average', peak: 'peak', noAnswer: 'no answer' },
    description: (peak, average, uptime) => `Peak ${peak}, average ${average}, uptime ${uptime}.`,
  },
  de: {
    ranges: {
      '24h': 'den letzten 24 Stunden',
      '7d': 'den letzten 7 Tagen',
      '30d': 'den letzten 30 Tagen',
      '90d': 'den letzten 90 Tagen',
    },
    title: (name, range) => `Spieler von ${name} in ${range}`,
    players: (range) => `Spieler in ${range}, UTC`,
    uptime: 'Erreichbar',
    average: 'Mittel',
    peak: 'Spitze',
    noData: 'Noch keine Daten',
    noAnswerInTime: 'Keine Antwort in dieser Zeit',
    legend: { average: 'Mittel', peak: 'Spitze', noAnswer: 'keine Antwort' },
    description: (peak, average, uptime) => `Spitze ${peak}, Mittel ${average}, erreichbar ${uptime}.`,
  },
}
