// Totals of the directory now and in the last 24 hours.
import { operation } from '../../platform/http/operation.ts'
import { Statistics } from './statistics.schema.ts'
import { createStatisticsService } from './statistics.service.ts'

export function statisticsOperations(options: Parameters<typeof createStatisticsService>[0]) {
  const statistics = createStatisticsService(options)
  return [
    operation({
      method: 'get',
      path: '/stats',
      operationId: 'getStatistics',
      tag: 'Directory',
      summary: 'Get totals by game and country, with the last 24 hours',
      description: 'Made at most once a minute. The hours come from hourly totals, which are kept for 32 days.',
      crossOrigin: true,
      returns: Statistics,
      reads: 'standby',
      handle: ({ db }) => statistics.read(db),
    }),
  ]
}
