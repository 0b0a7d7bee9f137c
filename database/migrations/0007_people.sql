-- What registering and admitting technicians asks.

-- A form that was sent twice finds its own application. The reason of a deletion went into the mail.
alter table application
  add column form_key        uuid unique,
  add column decision_reason text not null default '';
create index application_by_email on application (email, decided_at desc nulls first);

-- The newest first, in lists.
create index application_open on application (requested_at desc nulls last, email) where decision is null;
create index technician_live on technician (added_at desc nulls last, email) where deleted_at is null;
create index technician_person on technician (person_id);
create index admin_person on admin (person_id);
