// The page that a login leads to.

/** It must fit into a cookie. */
export const MAX_SITE_PATH = 1_000

/**
 * A path of a page with its query, encoded as browsers send it. Two slashes at its beginning would name another host. The API is
 * left out, also behind dot segments: `/api/auth/…` begins to link an identity, which no link of a foreign page may do.
 */
export const SITE_PATH = /^(?![^?#]*[/\\](?:\.|%2[eE]))\/(?![/\\]|[aA][pP][iI](?:[/\\?#]|$))[\x21-\x7e]*$/
