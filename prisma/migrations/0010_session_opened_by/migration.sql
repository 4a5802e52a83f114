-- How a session was opened; null: before this was recorded, or by the release before, which counts as no proof of anything.
alter table sessions add column opened_by text
  constraint sessions_opened_by_check check (opened_by in ('password', 'chat', 'gameplatform'));
