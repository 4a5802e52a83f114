-- Setup codes: with one, an account whose rights need a second factor sets its first one up (docs/decisions/0079).
alter table email_tokens drop constraint email_tokens_purpose_check;
alter table email_tokens add constraint email_tokens_purpose_check check (purpose in ('verify', 'reset', 'setup')) not valid;
alter table email_tokens validate constraint email_tokens_purpose_check;
