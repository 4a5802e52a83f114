// Suggestions below the search field, as the browser shows those of a list: games, then servers.
import { api } from './api.ts'

const WAIT_MS = 150
const MIN_CHARACTERS = 2
const MAX_GAMES = 3
const NONE = { suggestions: [], games: [] }

export function suggest(): void {
  const field = document.querySelector<HTMLInputElement>('#q')
  const list = document.querySelector('#suggestions')
  let timer: ReturnType<typeof setTimeout> | undefined
  field?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const q = field.value.trim()
      if (q.length < MIN_CHARACTERS) return list?.replaceChildren()
      const [{ suggestions }, { games }] = await Promise.all([
        api.get('/servers/suggestions', { query: { q, limit: 8 } }).catch(() => NONE),
        api.get('/games', { query: { search: q } }).catch(() => NONE),
      ])
      if (q !== field.value.trim()) return // the visitor has typed more in the meantime
      const played = games.filter(({ servers }) => servers > 0).slice(0, MAX_GAMES)
      list?.replaceChildren(
        ...[...new Set([...played, ...suggestions].map(({ name }) => name))].map((name) => {
          const option = document.createElement('option')
          option.value = name
          return option
        }),
      )
    }, WAIT_MS)
  })
}
