// The interface, row by row, against the started product: launcher, API, worker and embedded PostgreSQL, over HTTP.
import './sections/statistics.ts'
import './sections/votes.ts'
