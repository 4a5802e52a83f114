// A fuzz run's findings: each kind of fault of an operation once, with its first request, and the number of requests.
import type { Answer, Sent } from './exchange.ts'

export interface Findings {
  add(sent: Sent, answer: Answer | undefined, faults: string[]): void
  /** Each fault with the exchange that found it. */
  list(): string[]
  /** The number of requests, and of answers by status. */
  tried(): string
}

export function createFindings(): Findings {
  const found = new Map<string, string>()
  const statuses = new Map<number, number>()
  const validities = new Map<string, number>()
  return {
    add(sent, answer, faults) {
      const { status = 0 } = answer ?? {}
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const kind = `${sent.validity} ${status >= 200 && status < 400 ? 'taken' : 'refused'}`
      validities.set(kind, (validities.get(kind) ?? 0) + 1)
      for (const fault of faults) {
        const key = `${sent.plan.operation.name}: ${fault}`
        if (!found.has(key)) found.set(key, `${key}\n${exchangeInWords(sent, answer)}`)
      }
    },
    list: () => [...found.values()],
    tried() {
      const counts = (map: Map<string | number, number>) =>
        [...map]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([what, times]) => `${times} × ${what}`)
          .join(', ')
      const all = [...statuses.values()].reduce((sum, times) => sum + times, 0)
      return `${all} requests (${counts(validities)}), answered ${counts(statuses)}`
    },
  }
}

const short = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length})` : text)

function exchangeInWords({ plan, method, target, headers, body }: Sent, answer: Answer | undefined): string {
  const own = Object.entries(headers).filter(([name]) => !/^(cookie|authorization|content-length)$/.test(name))
  return [
    `  as ${plan.caller}: ${method} ${short(target)} ${short(JSON.stringify(Object.fromEntries(own)))}`,
    ...(body ? [`  ${short(JSON.stringify(body.toString()))}`] : []),
    `  → ${answer ? `${answer.status} ${short(answer.body)}` : 'nothing'}`,
  ].join('\n')
}
