// Every promise of the API, tested over HTTP against the started product: launcher, API, worker, embedded PostgreSQL.
import { beforeAll, expect, test } from 'vitest'
import { theNotified } from './mails.ts'
import { untestedRows } from './section.ts'
import './sections/statistics.ts'
import './sections/directory.ts'
import './sections/public-list.ts'
import './sections/filters.ts'
import './sections/live-data.ts'
import './sections/online-flag.ts'
import './sections/votes.ts'
import './sections/favorites.ts'
import './sections/accounts.ts'
import './sections/api-keys.ts'
import './sections/listing.ts'
import './sections/management.ts'
import './sections/authentication.ts'
import './sections/events.ts'
import './journeys/owner.ts'
import './journeys/player.ts'
import './journeys/minecraft-owner.ts'
import './journeys/rust-owner.ts'
import './sections/money.ts'
import './sections/features.ts'
import './sections/users.ts'
import './sections/administration.ts'
import './sections/utilities.ts'
import './sections/statuses.ts'
import './sections/versioning.ts'
import './sections/mails.ts'
import './sections/site.ts'
import './sections/limits.ts'
import './journeys/api-client.ts'
import './journeys/bidder.ts'
import './journeys/operator.ts'

// So that its mail, which may take a minute, is there when its rows look.
beforeAll(async () => void (await theNotified()))

test('every promise has a test', () => {
  expect(untestedRows()).toEqual([])
})
