// Where votes come from.
import type { votes as Original } from '../../en/admin/votes.ts'

export const votes: typeof Original = {
  intro:
    'Server, deren Stimmen der letzten 7 Tage aus den wenigsten Netzen kamen, zuerst. Ein Anteil führt zu seinen Stimmen.',
  topNetwork: 'Größter Anteil eines Netzes',
  ownerVotes: 'Vom Besitzer gesendet',
  minVotes: 'Mindestzahl der Stimmen',
}
