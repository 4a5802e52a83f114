-- Administrators lock the icon that a game server reports as they lock logos and banners.
alter table server_faces
  drop constraint server_faces_kind_check,
  add constraint server_faces_kind_check check (kind in ('logo', 'banner', 'icon'));

-- Banners whose address was saved before pictures were downloaded: `none` from a `url` waits for the upkeep, which downloads some an hour.
insert into server_faces (server_id, kind, state, source)
select id, 'banner', 'none', 'url' from servers
where banner_url <> '' and banner_hash is null and deleted_at is null
on conflict (server_id, kind) do nothing;
