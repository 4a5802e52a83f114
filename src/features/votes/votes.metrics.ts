// Metrics of votes.
import { Counter } from 'prom-client'

export const votesTotal = new Counter({
  name: 'directory_votes_total',
  help: 'Votes at this process, by outcome (accepted, cooldown, address_limit, proof)',
  labelNames: ['outcome'] as const,
})
