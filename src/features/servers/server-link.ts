/** The server's page on the site. Without the site (`SITE=off`), the one that `base` serves under the same path. */
export const serverLink = (base: string, serverId: string): string => `${base}/servers/${serverId}`
