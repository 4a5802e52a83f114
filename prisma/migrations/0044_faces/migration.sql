-- Logos and banners of servers (docs/decisions/0056).
create table images (
  hash text not null,
  webp bytea not null,
  small bytea,
  card bytea not null,
  used_at timestamptz(3) not null default current_timestamp,
  constraint images_pkey primary key (hash),
  constraint images_size_check check (octet_length(webp) + coalesce(octet_length(small), 0) + octet_length(card) <= 150 * 1024)
);
-- The bytes are compressed already.
alter table images alter column webp set storage external, alter column small set storage external, alter column card set storage external;

alter table servers add column logo_hash text, add column banner_hash text;
alter table servers
  add constraint servers_logo_hash_fkey foreign key (logo_hash) references images (hash) on delete restrict on update cascade,
  add constraint servers_banner_hash_fkey foreign key (banner_hash) references images (hash) on delete restrict on update cascade;
create index servers_logo_hash_idx on servers (logo_hash) where logo_hash is not null;
create index servers_banner_hash_idx on servers (banner_hash) where banner_hash is not null;

create table server_faces (
  server_id uuid not null,
  kind text not null,
  state text not null,
  source text,
  reason text,
  attempt_id uuid,
  upload bytea,
  uploaded_by uuid,
  locked_at timestamptz(3),
  locked_by uuid,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint server_faces_pkey primary key (server_id, kind),
  constraint server_faces_kind_check check (kind in ('logo', 'banner')),
  constraint server_faces_state_check check (state in ('none', 'pending', 'ready', 'refused')),
  constraint server_faces_source_check check (source in ('upload', 'url')),
  constraint server_faces_attempt_check check ((state = 'pending') = (attempt_id is not null)),
  constraint server_faces_upload_check check (upload is null or state = 'pending'),
  constraint server_faces_locked_check check (locked_at is null or state = 'none')
);
alter table server_faces alter column upload set storage external;
alter table server_faces
  add constraint server_faces_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  add constraint server_faces_uploaded_by_fkey foreign key (uploaded_by) references users (id) on delete set null on update cascade,
  add constraint server_faces_locked_by_fkey foreign key (locked_by) references users (id) on delete set null on update cascade;
create index server_faces_uploaded_by_idx on server_faces (uploaded_by);
create index server_faces_locked_by_idx on server_faces (locked_by);
create index server_faces_pending_idx on server_faces (updated_at) where state = 'pending';
