// The operation by which users get all that is stored about their account.
import { operation } from '../../platform/http/operation.ts'
import { StreamedFile } from '../../platform/http/reply-kinds.ts'
import { PersonalDataFile } from './personal-data.schema.ts'
import { MAX_ENTRIES, readPersonalData } from './personal-data.service.ts'

/** A file costs some thirty statements. */
const FILES_A_DAY = 10

export const personalDataOperations = [
  operation({
    method: 'get',
    path: '/user/data',
    operationId: 'exportPersonalData',
    tag: 'User',
    summary: 'Download everything that is stored about your account',
    description:
      'One JSON file, which browsers save. Contains no secrets. For passwords, keys, tokens and webhook addresses it lists the other stored ' +
      `fields. Of each part at most the newest ${MAX_ENTRIES} entries. At most ${FILES_A_DAY} files per day.`,
    access: 'session',
    returns: PersonalDataFile,
    produces: 'application/json',
    limit: { name: 'personal-data', limit: FILES_A_DAY, windowSeconds: 86_400, per: 'user' },
    handle: ({ db, actor: { userId } }) => new StreamedFile('account-data.json', readPersonalData(db, userId)),
  }),
]
