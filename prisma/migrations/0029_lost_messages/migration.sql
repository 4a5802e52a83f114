-- Messages that were ordered and not sent are found by when they were ordered.
create index notification_digests_ordered_at_idx on notification_digests (ordered_at) where ordered_at is not null;
