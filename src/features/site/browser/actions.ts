// Reports copied addresses and clicks on links into the game, once a page each, for the numbers of servers' owners.
// Nothing about the visitor is sent, and the page does not wait.
import { canCopy } from './copy.ts'

export function reportActions(): void {
  const reported = new Set<string>()
  document.addEventListener('click', (event) => {
    const used = (event.target as Element).closest<HTMLElement>('[data-action]')
    if (!used || (used.dataset.action === 'copy' && !canCopy)) return
    const { action, server = used.closest<HTMLElement>('li[data-server]')?.dataset.server } = used.dataset
    const key = `${action} ${server}`
    if (!server || reported.has(key)) return
    reported.add(key)
    // `keepalive`: the link may leave the page.
    fetch(`/api/servers/${server}/activity`, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action }),
    }).catch(() => undefined)
  })
}
