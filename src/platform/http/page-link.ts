// Links to what visitors can open.
import type { Settings } from '../config/settings.ts'

/**
 * A page of the site or, without the site, the operation that answers its data.
 * @param paths begin with `/`
 */
export const pageLink = (
  { PUBLIC_BASE_URL, SITE }: Pick<Settings, 'PUBLIC_BASE_URL' | 'SITE'>,
  paths: { page: string; operation: string },
): string => PUBLIC_BASE_URL + (SITE === 'off' ? paths.operation : paths.page)
