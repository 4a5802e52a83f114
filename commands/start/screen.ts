// The summary that is printed when everything is ready.
export interface Running {
  apiUrl: string
  /** URL of the payment sandbox; undefined if none runs. */
  sandboxUrl: string | undefined
  database: string
  dataFolder: string | undefined
  simulatedServers: number
  /** Defined if the directory has no servers. `hasAdministrators`: ADMIN_EMAILS names who may see the first steps. */
  isNew: { hasAdministrators: boolean } | undefined
}

export function renderSummary({ apiUrl, sandboxUrl, database, dataFolder, simulatedServers, isNew }: Running): string {
  const rows: [string, string][] = [
    ['Site', apiUrl],
    ['API', `${apiUrl}/docs`],
    ...(sandboxUrl ? ([['Payments', `${sandboxUrl} (sandbox: play money)`]] as [string, string][]) : []),
    ['Data', dataFolder ? `${dataFolder}, ${database}` : database],
  ]
  if (simulatedServers) rows.push(['Demo', `${simulatedServers} simulated game servers on loopback, listed and polled`])
  if (isNew) rows.push(['First steps', firstSteps(apiUrl, isNew)])
  rows.push(['Stop', 'Ctrl-C'])
  const lines = ['The server directory is running.', ...rows.map(([name, what]) => `  ${name.padEnd(13)}${what}`)]
  return lines.map((line) => `${line}\n`).join('')
}

const firstSteps = (apiUrl: string, { hasAdministrators }: { hasAdministrators: boolean }) =>
  hasAdministrators
    ? `log in at ${apiUrl}/admin`
    : `start with ADMIN_EMAILS=you@example.com npm start, then register that address at ${apiUrl}/admin`
