-- What each person chose to be told by email, and how soon. No row: what is usual of the topic (app/digest/topics.ts).
create table tell_choice (
  person_id uuid not null references person,
  topic     text not null,
  pace      text not null check (pace in ('once', 'six', 'monday', 'never')),
  primary key (person_id, topic)
);

-- What each person was told, so that nothing is told twice. A mark stays as long as what it tells of.
create table told_item (
  person_id uuid not null references person,
  topic     text not null,
  item      text not null,
  digest    uuid not null,          -- the mail that tells it
  told_at   timestamptz not null,
  primary key (person_id, topic, item)
);

-- The day whose digest a person had, in the registry's zone, and when they were last told something at once.
create table digest (
  person_id   uuid primary key references person,
  digested_on date,
  mailed_at   timestamptz
);

-- The weekly mail is one more choice.
insert into tell_choice (person_id, topic, pace) select person_id, 'weekly', 'never' from weekly_mail where is_stopped;
alter table weekly_mail drop column is_stopped;

-- A link stops the weekly mail, or all that may be stopped, of a person who perhaps has no weekly mail.
alter table weekly_mail_link
  add column stops text not null default 'weekly' check (stops in ('weekly', 'all')),
  drop constraint weekly_mail_link_person_id_fkey,
  add foreign key (person_id) references person;

-- Single mails told these until now. What such a mail did not leave for yet, the digest tells.
with mailed as (
  select least(now(), min(queued_at)) as until from mail
  where kind in ('application-waiting', 'visit-decided', 'pattern-asked') and given_up_at is null
)
insert into told_item (person_id, topic, item, digest, told_at)
select person_id, topic, item, '00000000-0000-0000-0000-000000000000', now() from (
  select ad.person_id, 'applications' as topic, ap.id::text as item
    from application ap cross join admin ad cross join mailed
    where ap.decision is null and ad.deleted_at is null and (ap.requested_at is null or ap.requested_at < until)
  union
  select a.person_id, 'decided', d.id::text
    from visit_decision d join visit v on v.id = d.visit_id join actor a on a.id = v.technician_id cross join mailed
    where d.decided_at > now() - interval '8 days' and d.decided_at < until
  union
  select f.person_id, 'answers', f.id::text
    from pattern_finding f cross join mailed
    where f.person_id is not null and exists (
      select from pattern_step s where s.finding_id = f.id and s.step = 'asked' and s.at < until)
) told;
