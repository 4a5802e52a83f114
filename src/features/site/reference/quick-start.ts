// The first three things that programs do with the API.
import type { Samples } from './samples.ts'

interface Step {
  id: string
  title: string
  /** The step's description in Markdown. */
  about: string
  samples: Samples
}

/** @param base the start of the API's URLs, with the origin */
export const quickStart = (base: string): Step[] => [
  {
    id: 'list-servers',
    title: 'List servers',
    about: 'No login, no key. `pagination` and the header `Link` lead to the other pages.',
    samples: {
      curl: `curl '${base}/public/servers?search=island&limit=5'`,
      JavaScript: `const response = await fetch('${base}/public/servers?search=island&limit=5')
const { servers, pagination } = await response.json()`,
      Python: `import requests

reply = requests.get("${base}/public/servers", params={"search": "island", "limit": 5}).json()
print(reply["pagination"]["total"], [server["name"] for server in reply["servers"]])`,
    },
  },
  {
    id: 'vote-for-a-server',
    title: 'Vote',
    about:
      '`visitorId` is what your page knows its visitor by. A second vote within 24 hours is answered with 429 `vote_cooldown` and `nextVoteAt`.',
    samples: {
      curl: `curl '${base}/servers/SERVER_ID/vote' -H 'Content-Type: application/json' \\
  -d '{"visitorId": "visitor-0123456789", "username": "Ada"}'`,
      JavaScript: `const response = await fetch('${base}/servers/SERVER_ID/vote', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ visitorId: 'visitor-0123456789', username: 'Ada' }),
})
const { nextVoteAt } = await response.json()`,
      Python: `import requests

vote = {"visitorId": "visitor-0123456789", "username": "Ada"}
print(requests.post("${base}/servers/SERVER_ID/vote", json=vote).json())`,
    },
  },
  {
    id: 'receive-votes',
    title: 'Receive votes by webhook',
    about:
      'For the owner of a server, with an API key. The reply has the `secret` once; events are signed by [Standard Webhooks](https://www.standardwebhooks.com), so verify `webhook-signature`.',
    samples: {
      curl: `curl -X PUT '${base}/servers/SERVER_ID/webhook' -H 'Authorization: Bearer API_KEY.SECRET' \\
  -H 'Content-Type: application/json' -d '{"url": "https://owner.example/hook", "events": ["vote.created"]}'`,
      JavaScript: `await fetch('${base}/servers/SERVER_ID/webhook', {
  method: 'PUT',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer API_KEY.SECRET' },
  body: JSON.stringify({ url: 'https://owner.example/hook', events: ['vote.created'] }),
})`,
      Python: `import requests

requests.put(
    "${base}/servers/SERVER_ID/webhook",
    headers={"Authorization": "Bearer API_KEY.SECRET"},
    json={"url": "https://owner.example/hook", "events": ["vote.created"]},
)`,
    },
  },
]
