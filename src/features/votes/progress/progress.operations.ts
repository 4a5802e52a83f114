// The operation that follows a vote.
import { operation } from '../../../platform/http/operation.ts'
import { EventStream } from '../../../platform/http/reply-kinds.ts'
import { listedServer } from '../../servers/index.ts'
import { VoteProgressEvent, VoteStatusQuery } from '../votes.schema.ts'
import type { VoteProgressStreams } from './progress.ts'

export const progressOperations = (streams: VoteProgressStreams) => [
  operation({
    tag: 'Votes',
    method: 'get',
    path: '/servers/{id}/vote/progress',
    operationId: 'followVote',
    summary: 'Stream the delivery and reward status of your last vote',
    description:
      'Server-Sent Events: whether the vote has reached the server, and whether its reward was given. It ends when both are decided, at the ' +
      'latest after a minute. Only the voter knows the `visitorId` that it needs.',
    resource: listedServer(),
    query: VoteStatusQuery,
    returns: VoteProgressEvent,
    produces: 'text/event-stream',
    handle({ serverId, query: { visitorId }, clientKey }) {
      return new EventStream({
        admit: () => streams.requireCapacity(clientKey),
        open: (res) => streams.open(res, { serverId, visitorId }, clientKey),
      })
    },
  }),
]
