// Stores the ids of reminders to vote that were added in this browser, by server.
const KEY = 'reminders'

function readAll(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

export const reminderIdOf = (serverId: string): string | undefined => readAll()[serverId]

/** @param id undefined: the reminder has ended */
export function storeReminderId(serverId: string, id: string | undefined): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readAll(), [serverId]: id }))
  } catch {
    // If nothing can be stored, the page offers a new reminder although one runs; the new one replaces it.
  }
}
