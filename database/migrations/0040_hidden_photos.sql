-- An admin hid the photo of the visit's set, because it shows people. Its file answers no more; its hash stays.
alter table visit add column photo_hidden_at timestamptz;
