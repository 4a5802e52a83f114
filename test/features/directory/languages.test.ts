// The same text in twenty languages, as it is listed and as people type it: every search and filter
// compares them alike.
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus } from './rows-in-database.ts'

/** Of each language: a text as it is listed, and what people type for it. */
const LANGUAGES: Record<string, [listed: string, ...typed: string[]]> = {
  Arabic: ['أرض المَعركة', 'ارض المعركة', 'أرض المعـركة'],
  Chinese: ['方舟生存', '方舟生存'],
  Czech: ['Říše příšer', 'rise priser', 'ŘÍŠE PŘÍŠER'],
  Danish: ['Ærø på øen', 'aero pa oen', 'ÆRØ PÅ ØEN'],
  English: ['Ｗｉｌｄ ﬁre', 'wild fire', 'WILD FIRE'],
  French: ['Café des Œuvres', 'cafe des oeuvres', 'CAFÉ DES ŒUVRES'],
  German: ['Große Straße', 'grosse strasse', 'GROSSE STRASSE', 'GROẞE STRAẞE'],
  Greek: ['Ο δρόμος της Ιθάκης', 'ο δρομος τησ ιθακησ', 'Ο ΔΡΟΜΟΣ ΤΗΣ ΙΘΑΚΗΣ'],
  Hebrew: ['שָׁלוֹם עולם', 'שלום עולם'],
  Hindi: ['किताब की दुनिया', 'किताब की दुनिया'],
  Icelandic: ['Þórshöfn að vetri', 'thorshofn ad vetri', 'ÞÓRSHÖFN AÐ VETRI'],
  Japanese: ['ガチャの島', 'ｶﾞﾁｬの島'],
  Korean: ['방주 서버', '방주 서버'],
  Persian: ['شهر یکتا', 'شهر يكتا'],
  Polish: ['Łódź Żółwia', 'lodz zolwia', 'ŁÓDŹ ŻÓŁWIA'],
  Portuguese: ['São Paulo à noite', 'sao paulo a noite', 'SÃO PAULO À NOITE'],
  Russian: ['Ёлка и Йети', 'елка и иети', 'ЁЛКА И ЙЕТИ'],
  Spanish: ['Año del Dragón', 'ano del dragon', 'AÑO DEL DRAGÓN'],
  Thai: ['เกาะ สมุย', 'เกาะ สมุย'],
  Turkish: ['İstanbul Kız Isparta', 'istanbul kiz isparta', 'ISTANBUL KIZ ISPARTA', 'istanbul kız ısparta'],
  Vietnamese: ['Đà Nẵng tươi', 'da nang tuoi', 'ĐÀ NẴNG TƯƠI'],
}

const cases = Object.entries(LANGUAGES).flatMap(([language, [listed, ...typed]]) =>
  [...new Set([listed, ...typed].flatMap((text) => [text, text.normalize('NFD'), text.normalize('NFC')]))].map(
    (question) => ({ language, listed: listed.normalize('NFC'), question }),
  ),
)

const api = await startTestApi()
beforeAll(async () => {
  for (const [listed] of Object.values(LANGUAGES)) {
    const text = listed.normalize('NFC')
    const id = await insertServer(api.database.pool, { name: text, region: text, tags: [text.slice(0, 30)] })
    await putStatus(api.database.pool, id, { map: text, version: text })
  }
  await api.directory.refresh()
})

async function get<Body>(path: string, query: Record<string, string>): Promise<Body> {
  return (await api.request(`/api${path}?${new URLSearchParams(query)}`)).json() as Promise<Body>
}
async function names(query: Record<string, string>, path = '/servers'): Promise<string[]> {
  const { servers } = await get<{ servers: { name: string }[] }>(path, query)
  return servers.map(({ name }) => name)
}

describe.each(cases)('$language: $question', ({ listed, question }) => {
  it('is found by every search and filter', async () => {
    for (const parameter of ['q', 'search', 'map', 'region', 'version', 'tags'])
      expect(await names({ [parameter]: question }), parameter).toEqual([listed])
    for (const parameter of ['search', 'map'])
      expect(await names({ [parameter]: question }, '/public/servers'), parameter).toEqual([listed])
    const { suggestions } = await get<{ suggestions: { name: string }[] }>('/servers/suggestions', { q: question })
    expect(suggestions.map(({ name }) => name)).toEqual([listed])
    const facets = await get<Record<'map' | 'tags', object[]>>('/servers/facets', { region: question })
    for (const facet of ['map', 'tags'] as const) expect(facets[facet]).toEqual([{ value: listed, servers: 1 }])
  })
})

it('counts spellings of one text as one facet, spelled as by the oldest server', async () => {
  for (const [year, region] of ['Köln', 'KOLN', 'ko\u0308ln'].entries()) {
    const createdAt = new Date(Date.UTC(2020 + year, 0, 1))
    await insertServer(api.database.pool, { name: `In ${region}`, region, tags: [region], createdAt })
  }
  await api.directory.refresh()
  const facets = await get<Record<'region' | 'tags', object[]>>('/servers/facets', { search: 'in k' })
  expect(facets.region).toEqual([{ value: 'Köln', servers: 3 }])
  expect(facets.tags).toEqual([{ value: 'Köln', servers: 3 }])
})

it('takes country codes of any width', async () => {
  expect((await api.request(`/api/servers?${new URLSearchParams({ country: 'ｄｅ' })}`)).status).toBe(200)
})
