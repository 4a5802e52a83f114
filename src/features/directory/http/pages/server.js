// Shows the server whose id is in the address' fragment, as the API has it now.
const status = document.querySelector('[role=status]')
const list = document.querySelector('dl')

async function show() {
  list.hidden = true
  const response = await fetch(`/api/servers/${encodeURIComponent(location.hash.slice(1))}`)
  const server = await response.json()
  if (!response.ok) {
    status.textContent = server.message
    return
  }
  const fields = {
    name: server.name,
    address: `${server.ipAddress}:${server.gamePort}`,
    state: server.isOnline ? `online, ${server.currentPlayers} of ${server.maxPlayers} players` : 'offline',
    map: server.map || 'not known',
    votes: `${server.totalVotes}, ${server.monthlyVotes} this month`,
    owner: server.isVerified ? 'verified' : 'not verified',
  }
  for (const [name, value] of Object.entries(fields)) list.querySelector(`[data-field=${name}]`).textContent = value
  list.hidden = false
  status.textContent = ''
}

const showOrSay = () =>
  show().catch(() => {
    status.textContent = 'The directory can’t be reached just now. Try again in a moment.'
  })
addEventListener('hashchange', showOrSay)
showOrSay()
