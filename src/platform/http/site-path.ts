// The page that a login leads to.

/** It must fit into a cookie. */
export const MAX_SITE_PATH = 1_000

/** Two slashes at the beginning would name another host. Browsers take a backslash for a slash. */
const NOT_ANOTHER_HOST = String.raw`(?![/\\])`
/** `/api/auth/…` begins to link an identity, which no link of a foreign page may do. */
const NOT_THE_API = String.raw`(?![aA][pP][iI](?:[/\\?#]|$))`
/**
 * Before the query and the fragment, nothing after a slash begins with a dot, also not encoded: browsers
 * resolve `/x/../api`.
 */
const NO_DOT_SEGMENTS = String.raw`(?![^?#]*[/\\](?:\.|%2[eE]))`
/** What browsers send: everything else is encoded. */
const VISIBLE_ASCII = String.raw`[\x21-\x7e]*`

/** A path of a page with its query, encoded as browsers send it. */
export const SITE_PATH = new RegExp(`^${NO_DOT_SEGMENTS}/${NOT_ANOTHER_HOST}${NOT_THE_API}${VISIBLE_ASCII}$`)
