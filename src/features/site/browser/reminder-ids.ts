// Stored in the visitor's browser: the ids of the reminders to vote that were added here, by server.
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
    // Then a new one is offered although one runs, and replaces it.
  }
}
