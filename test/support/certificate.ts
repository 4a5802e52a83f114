// Makes a self-signed certificate with openssl, like one of a private certificate authority.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export interface Certificate {
  key: Buffer
  cert: Buffer
  /** The file for NODE_EXTRA_CA_CERTS. */
  file: string
}

/** Valid for `localhost` and 127.0.0.1; removed with the test. Needs openssl. */
export function createCertificate(): Certificate {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-tls-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const [key, file] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', file, ...subject], { stdio: 'ignore' })
  return { key: fs.readFileSync(key), cert: fs.readFileSync(file), file }
}
