// The page that a login leads to.

/** It must fit into a cookie. */
export const MAX_SITE_PATH = 1_000

/** A path of this site with its query, encoded as browsers send it. Two slashes at its beginning would name another host. */
export const SITE_PATH = /^\/(?![/\\])[\x21-\x7e]*$/
