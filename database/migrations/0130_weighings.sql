-- What stood on the deck at a visit, in its order: a JSON list of 20 at most, as app/readings/weighings.ts writes it. Null: each
-- group was weighed by itself, at the visit's own weighbridge.
alter table calibration_set
  add column weighings text check (jsonb_array_length(weighings::jsonb) between 1 and 20);

-- Other visits with the same ticket, and the visits that a withdrawn weighbridge reaches by one of their weighings.
create index calibration_set_weighings on calibration_set using gin ((weighings::jsonb) jsonb_path_ops) where weighings is not null;
