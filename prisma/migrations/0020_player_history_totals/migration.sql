-- What all listed servers of a game in a country had in one hour: a few hundred rows an hour, whatever the number of servers.
create table player_history_totals (
  hour timestamptz(3) not null,
  game text not null,
  country text not null,
  servers integer not null,
  online integer not null,
  players integer not null,
  constraint player_history_totals_pkey primary key (hour, game, country)
);
