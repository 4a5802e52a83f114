// How the site looks: its name, colour, introduction, links and logo.

import { validationFailed } from '../../../../platform/http/errors.ts'
import { PRODUCT_NAME } from '../../../../platform/product.ts'
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { MAX_IMAGE_BYTES } from '../../../faces/index.ts'
import { appearanceCard, logoCard } from '../../components/admin/appearance.ts'
import { adminFrame } from '../../components/admin/frame.ts'
import type { Client } from '../../components/client.ts'
import { html } from '../../components/html.ts'
import { htmlOf } from '../../markdown.ts'
import { waitUntilEncoded } from '../encoding.ts'
import { adminPage, backToList } from './page.ts'

export const appearancePage = adminPage({
  path: '/admin/appearance',
  script: 'buttons.ts',
  maxFileBytes: MAX_IMAGE_BYTES,
  async data({ api, once }) {
    const previewed = once?.previewed as Record<string, string> | undefined
    const preview = previewed && htmlOf(previewed.introduction ?? '', { highestHeading: 2 })
    return { appearance: await api.get('/admin/appearance'), product: PRODUCT_NAME, previewed, preview }
  },
  title: (locale) => locale.t.admin.frame.areas.appearance,
  view(locale, data) {
    const { admin: t } = locale.t
    return adminFrame(
      locale,
      'appearance',
      data,
      t.frame.areas.appearance,
      html`<p class="quiet">${t.appearance.lead}</p>${appearanceCard(locale, data)}${logoCard(locale, data, MAX_IMAGE_BYTES)}`,
    )
  },
  async post(input) {
    const { api, form, file } = input
    if (form.preview) return { previewed: form }
    if (form.action === 'removeLogo') await api.delete('/admin/appearance/logo')
    else if (form.action === 'logo') await uploadLogo(api, file)
    else {
      const { name, introduction, imprintUrl, privacyUrl } = form
      const accent = form.hasAccent ? form.accent : null
      await api.patch('/admin/appearance', {
        body: withoutUndefined({ name, introduction, imprintUrl, privacyUrl, accent }),
      })
    }
    return backToList(input, 'appearance', 'saved')
  },
})

async function uploadLogo(api: Client, file: Buffer | undefined): Promise<void> {
  if (!file) throw validationFailed([{ path: 'body.logo', message: 'is required' }])
  await api.put('/admin/appearance/logo', { body: file })
  await waitUntilEncoded(async () => (await api.get('/admin/appearance')).logo.state)
}
