// Downloads a list of servers, bounded in time and size.

export interface DownloadOptions {
  timeoutMs: number
  maxBytes: number
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Follows no redirects. @throws Error that names the status, the bound or the fault, and no header */
export async function download(
  url: string | URL,
  { timeoutMs, maxBytes, headers = {}, signal }: DownloadOptions,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, {
    redirect: 'error',
    headers,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
