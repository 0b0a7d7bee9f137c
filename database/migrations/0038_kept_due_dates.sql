-- A correction that ends the rule of a visit brings no later due date by an older one: the date that stood is then in
-- hand_due_on of the older visit, and here stands the visit that had it.
alter table visit add column due_kept_from uuid;
