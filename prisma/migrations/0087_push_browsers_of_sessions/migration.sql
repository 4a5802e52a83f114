-- A browser gets alerts until its session is ended. Null: added by an earlier release.
alter table push_browsers add column session_id uuid references sessions (public_id) on update cascade on delete cascade;
create index push_browsers_session_id_idx on push_browsers (session_id);
