// How long statements over all of the history may take.

/** Rolling up a busy hour, a day or a month reads millions of rows; the pool's 30 s are for requests. */
export const STATEMENT_TIMEOUT = { query_timeout: 600_000 }
