-- From where the picture that is shown came, which `source` does not tell while another one is tried.
alter table server_faces add column shown_source text;
update server_faces set shown_source = source where state <> 'none';
