// The audit log.
import type { audit as Original } from '../../en/admin/audit.ts'

export const audit: typeof Original = {
  deletedActor: 'gelöschtes Konto',
  actor: 'Wer',
  actorId: 'Wer (Konto-Id)',
  target: 'Ziel',
  targetId: 'Ziel (Id)',
  action: 'Aktion',
  time: 'Zeit',
  details: 'Einzelheiten',
}
