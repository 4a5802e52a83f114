-- What processes of release 0.1 used while release 0.2 was installed (migration 0018).
drop view webhook_endpoints, webhook_deliveries, webhook_attempts;
drop trigger endpoints_of_previous_release on endpoints;
drop function endpoint_of_previous_release();
