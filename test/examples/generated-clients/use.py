"""Uses the generated client as its reader would: arguments are the API's address, a server and a visitor."""

import json
import sys

from server_directory_client import Client
from server_directory_client.api.directory import get_server, list_servers
from server_directory_client.api.live_data import look_up_servers
from server_directory_client.api.votes import vote
from server_directory_client.models.error import Error
from server_directory_client.models.lookup_by_ids import LookupByIds
from server_directory_client.models.ranked_server_item_page import RankedServerItemPage
from server_directory_client.models.vote_body import VoteBody
from server_directory_client.models.vote_cooldown import VoteCooldown
from server_directory_client.models.vote_result import VoteResult

base_url, server_id, visitor_id = sys.argv[1:]
client = Client(base_url=base_url)

page = list_servers.sync(client=client, limit=5)
assert isinstance(page, RankedServerItemPage)
first = vote.sync(server_id, client=client, body=VoteBody(visitor_id=visitor_id))
assert isinstance(first, VoteResult)
second = vote.sync(server_id, client=client, body=VoteBody(visitor_id=visitor_id))
assert isinstance(second, VoteCooldown)
missing = get_server.sync("00000000-0000-0000-0000-000000000000", client=client)
assert isinstance(missing, Error)
refused = list_servers.sync(client=client, limit=101)
assert isinstance(refused, Error)
found = look_up_servers.sync(client=client, body=LookupByIds(ids=[server_id]))

print(
    json.dumps(
        {
            "listed": page.servers[0].name,
            "total": page.pagination.total,
            "success": first.success,
            "cooldown": second.error,
            "missing": missing.error,
            "refused": refused.details[0].path,
            "found": len(found.servers),
        }
    )
)
