-- Servers whose former owner's rewards are hidden, until a job has deleted their commands and answers: a log may have millions of rows.
create table vote_reward_erasures (
  server_id uuid not null,
  settled_until timestamptz(3) not null,
  constraint vote_reward_erasures_pkey primary key (server_id),
  constraint vote_reward_erasures_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
