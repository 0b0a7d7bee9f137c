-- Which entry of the transparency log says that another's data were erased.
create index log_leaf_redaction on log_leaf (((entry::jsonb -> 'body' ->> 'redacts')::bigint))
  where entry like '%"type":"redaction"%';
