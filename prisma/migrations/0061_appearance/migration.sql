-- How the site looks: at most one row (docs/decisions/0072).
create table site_appearance (
  id smallint not null default 1,
  name text not null default '',
  accent text,
  introduction text not null default '',
  imprint_url text not null default '',
  privacy_url text not null default '',
  logo_hash text,
  logo_reason text,
  logo_attempt_id uuid,
  logo_upload bytea,
  logo_given_at timestamptz(3),
  updated_at timestamptz(3) not null default current_timestamp,
  constraint site_appearance_pkey primary key (id),
  constraint site_appearance_id_check check (id = 1),
  constraint site_appearance_name_check check (char_length(name) <= 60),
  constraint site_appearance_accent_check check (accent ~ '^#[0-9a-f]{6}$'),
  constraint site_appearance_introduction_check check (char_length(introduction) <= 2000),
  constraint site_appearance_logo_check check ((logo_attempt_id is null) = (logo_upload is null))
);
alter table site_appearance alter column logo_upload set storage external;
alter table site_appearance
  add constraint site_appearance_logo_hash_fkey foreign key (logo_hash) references images (hash) on delete restrict on update cascade;
