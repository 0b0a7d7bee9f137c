-- What erasing a person's data asks of the transparency log.

-- Which entry says that another's data were erased.
create index log_leaf_redaction on log_leaf (((entry::jsonb -> 'body' ->> 'redacts')::bigint))
  where entry like '%"type":"redaction"%';

-- Which entries commit to a person's name.
create index leaf_opening_person on leaf_opening (left(value #>> '{}', 200)) where field like 'people.%';
