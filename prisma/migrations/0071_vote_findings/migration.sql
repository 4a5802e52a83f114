-- Findings of the daily search for suspicious votes are reports that no user filed (docs/decisions/0076).
alter table reports
  alter column server_id drop not null,
  drop constraint reports_reason_check,
  add constraint reports_reason_check check (reason in ('offline', 'spam', 'abuse', 'misleading', 'other', 'votes')),
  add column signal text,
  add column numbers jsonb,
  add column selection jsonb,
  add constraint reports_finding_check check (
    case when signal is null then server_id is not null and numbers is null and selection is null
    else user_id is null and numbers is not null and selection is not null end);

-- CreateIndex
CREATE UNIQUE INDEX "reports_server_id_signal_key" ON "reports"("server_id", "signal") WHERE (status = 'open'::text and signal <> 'burst'::text);
create unique index reports_signal_key on reports (signal) where (status = 'open'::text and signal <> 'burst'::text and server_id is null);

-- A selection names several networks.
update vote_voidings set selection = (selection - 'network') || jsonb_build_object('networks', selection -> 'network') where selection ? 'network';
