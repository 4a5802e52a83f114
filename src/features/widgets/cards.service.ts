// The cards of servers: what each shows, how long it is kept, and who may have how many made.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import type { Sql } from '../../platform/db/pool.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { RenderedFile } from '../../platform/http/reply-kinds.ts'
import { createMemo } from '../../platform/memo.ts'
import { type Appearance, accentColors } from '../appearance/index.ts'
import type { ServerDetail } from '../directory/index.ts'
import { findCardImage } from '../faces/index.ts'
import { findIcon } from '../profiles/index.ts'
import { renderCard } from './card.ts'
import type { ReadLastDay } from './last-days.ts'
import { createPngRenderer, type RenderPng } from './png-renderer.ts'
import type { WidgetsOptions } from './widgets.service.ts'

export interface CardsOptions extends WidgetsOptions {
  limits: Pick<Limits, 'consume'>
  /** How the site looks now. */
  appearance(): Pick<Appearance, 'name' | 'accent'>
  renderPng?: RenderPng
}

/** A chat shows a card as it was when the link was sent. */
const MAX_AGE_SECONDS = 60
/** Some 300 cards without pictures. */
const MAX_CARD_BYTES = 12 * 1024 * 1024
/** Some 300 drawings without pictures, or ten with large ones: a picture is part of its drawing. */
const MAX_DRAWING_BYTES = 4 * 1024 * 1024
/** One a second for a client, with bursts for several links in one message. Cards in memory do not count. */
const CARD_LIMITS: LimitPolicy[] = [{ name: 'cards', limit: 10, windowSeconds: 10 }]

interface Drawing {
  svg: string
}

export function createCards(options: CardsOptions, readLastDay: ReadLastDay) {
  const { directory, clock, limits, appearance, renderPng = createPngRenderer() } = options
  const drawings = createMemo<Drawing>(
    // Two bytes a character, as of names that are not Latin.
    { maxSize: MAX_DRAWING_BYTES, sizeCalculation: ({ svg }) => 2 * svg.length },
    { ttlMs: MAX_AGE_SECONDS * 1000, clock },
  )
  /** Rendered cards by what they show. */
  const cards = new LRUCache<string, RenderedFile>({
    maxSize: MAX_CARD_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  const running = new Map<string, Promise<RenderedFile>>()

  async function draw(db: Sql, id: string): Promise<Drawing> {
    const server = directory.lookup.detail(id).parse() as z.output<typeof ServerDetail>
    const lastDay = await readLastDay(db, id)
    const [banner, logo] = [server.bannerImageUrl, server.logoUrl].map((url) => url && pictureOf(db, url))
    const { name, accent } = appearance()
    const site = { name, accent: accent ? accentColors(accent).dark.accent : undefined }
    return {
      svg: renderCard({
        ...server,
        lastDay,
        banner: (await banner) || undefined,
        logo: (await logo) || undefined,
        site,
      }),
    }
  }

  async function make(key: string, svg: string): Promise<RenderedFile> {
    const card = new RenderedFile(await renderPng(svg), `"${key}"`, { maxAgeSeconds: MAX_AGE_SECONDS })
    cards.set(key, card)
    return card
  }

  /**
   * @throws ApiError 404 if the server is not listed; 429; 503 if the directory is too old, or too many
   * cards are being made
   */
  return async (db: Sql, id: string, clientKey: string): Promise<RenderedFile> => {
    directory.lookup.find(id)
    const { svg } = await drawings(id, () => draw(db, id))
    const key = hash('sha256', svg, 'base64url')
    const find = () => cards.get(key) ?? running.get(key)
    const known = find()
    if (known) return known
    await limits.consume({ key: clientKey, policies: CARD_LIMITS }, { isRead: true })
    const madeMeanwhile = find()
    if (madeMeanwhile) return madeMeanwhile
    const making = make(key, svg).finally(() => running.delete(key))
    running.set(key, making)
    return making
  }
}

const PICTURE = /\/(images|icons)\/([\w-]{43})\./

/** @returns a data URL; undefined if the picture has been replaced since */
async function pictureOf(db: Sql, url: string): Promise<string | undefined> {
  const [, folder, hashOfPicture = ''] = PICTURE.exec(url) ?? []
  const bytes = await (folder === 'icons' ? findIcon(db, hashOfPicture) : findCardImage(db, hashOfPicture))
  if (!bytes) return undefined
  const type = bytes[0] === 0xff ? 'jpeg' : 'png'
  return `data:image/${type};base64,${bytes.toString('base64')}`
}
