-- An auditor reads all that an admin reads, and changes nothing but their own account.
alter table staff drop constraint staff_role;
alter table staff add constraint staff_role check (role in ('admin', 'auditor'));
