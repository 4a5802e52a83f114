alter table servers add column proven_address text;
