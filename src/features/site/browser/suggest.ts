// Suggestions below the search field, as the browser shows those of a list.
import { api } from './api.ts'

const WAIT_MS = 150
const LEAST_CHARACTERS = 2
const NONE = { suggestions: [] }

export function suggest(): void {
  const field = document.querySelector<HTMLInputElement>('#q')
  const list = document.querySelector('#suggestions')
  let timer: ReturnType<typeof setTimeout> | undefined
  field?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const q = field.value.trim()
      if (q.length < LEAST_CHARACTERS) return list?.replaceChildren()
      const { suggestions } = await api.get('/servers/suggestions', { query: { q, limit: 8 } }).catch(() => NONE)
      list?.replaceChildren(
        ...[...new Set(suggestions.map(({ name }) => name))].map((name) => {
          const option = document.createElement('option')
          option.value = name
          return option
        }),
      )
    }, WAIT_MS)
  })
}
