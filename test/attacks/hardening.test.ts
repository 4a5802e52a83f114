// Small openings of the started product, each tried from outside.
import { expect, it } from 'vitest'
import { freePort } from '../../tools/launcher/ports.ts'
import { startProduct } from '../support/started-product.ts'

const operatorPort = await freePort()
const product = await startProduct({ OPERATOR_PORT: String(operatorPort) })

it('metrics and readiness are not served on the public port when operators have their own', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(product.url + path)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${operatorPort}${path}`)).status).toBe(200)
  }
})
