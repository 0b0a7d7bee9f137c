-- Who works in the registry's office stands in one table, with a role. `admin` is those who are admins: whatever counts admins,
-- writes to them or asks for one reads that, and so leaves out every other role by itself.
alter table admin rename to staff;
alter table staff add column role text not null default 'admin';
alter table staff add constraint staff_role check (role in ('admin'));
alter index admin_live_email rename to staff_live_email;
alter index admin_person rename to staff_person;

create view admin as select * from staff where role = 'admin';

-- The public log names the records of the view.
drop trigger admin_has_leaf on staff;
create or replace function require_leaf() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  of_table text := coalesce(tg_argv[0], tg_table_name);
begin
  if not exists (select from record_leaf where record_table = of_table and record_key = new.id::text) then
    raise exception 'a record of % has no leaf in the transparency log', of_table;
  end if;
  return null;
end $$;
create constraint trigger admin_has_leaf after insert or update of role on staff
  deferrable initially deferred for each row when (new.role = 'admin') execute function require_leaf('admin');
