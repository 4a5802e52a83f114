// The promises to programs that vote, follow changes and meet errors and limits, over HTTP against the started product.
import './sections/votes.ts'
import './sections/events.ts'
import './sections/utilities.ts'
import './sections/statuses.ts'
import './sections/versioning.ts'
import './sections/limits.ts'
import './journeys/api-client.ts'
