// The summary that is printed when everything is ready.
export interface Running {
  apiUrl: string
  workerUrl: string
  /** Of the payment sandbox, if one runs. */
  sandboxUrl: string | undefined
  database: string
  /** `none` if none is used. */
  dataFolder: string
  simulatedServers: number
}

export function renderSummary(running: Running): string {
  const { apiUrl, workerUrl, sandboxUrl, simulatedServers } = running
  const rows: [string, string][] = [
    ['Site', apiUrl],
    ['API', apiUrl],
    ['API reference', `${apiUrl}/docs`],
    ['Server list', `${apiUrl}/api/public/servers`],
    ['Worker metrics', `${workerUrl}/metrics`],
    ...(sandboxUrl ? ([['Payments', `${sandboxUrl} (sandbox: play money)`]] as [string, string][]) : []),
    ['Database', running.database],
    ['Data folder', running.dataFolder],
  ]
  if (simulatedServers) rows.push(['Demo', `${simulatedServers} simulated game servers on loopback, listed and polled`])
  rows.push(['Add a server', 'npm run servers -- add --game ase --address IP --query-port PORT'], ['Stop', 'Ctrl-C'])
  const lines = [
    '',
    'The server directory is running.',
    '',
    ...rows.map(([name, what]) => `  ${name.padEnd(16)}${what}`),
    '',
  ]
  return lines.map((line) => `${line}\n`).join('')
}
