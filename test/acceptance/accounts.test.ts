// The promises to users, owners and administrators, over HTTP against the started product.
import { beforeAll } from 'vitest'
import { theCopied } from './activity.ts'
import { theNotified } from './mails.ts'
import './sections/favorites.ts'
import './sections/accounts.ts'
import './sections/api-keys.ts'
import './sections/listing.ts'
import './sections/management.ts'
import './sections/authentication.ts'
import './sections/money.ts'
import './sections/features.ts'
import './sections/users.ts'
import './sections/administration.ts'
import './sections/mails.ts'
import './sections/coming-back.ts'
import './sections/teams.ts'
import './sections/moderation.ts'
import './sections/defended-accounts.ts'

// So that what may take a minute is there when its rows look.
beforeAll(async () => void (await Promise.all([theNotified(), theCopied()])))
