-- A constant default rewrites no row.
alter table endpoint_deliveries add column is_retried_alone boolean not null default false;
