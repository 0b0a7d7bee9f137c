-- What somebody saw of a part of a vehicle's history is kept before its whole history was ever checked.
alter table history_check alter column checked_at drop not null;
