-- When an alert last fired. No release has the column under its former name.
alter table favorite_alerts rename column rung_at to fired_at;
