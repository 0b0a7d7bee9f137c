-- One table of followers: of a vehicle (`vehicle_id`), or of a list of trucks (`list`, a rego or VIN a line).
alter table follower
  alter column vehicle_id drop not null,
  add column list      text,
  add column told      jsonb not null default '{}',  -- for each truck what the follower knows of it
  add column version   int not null default 1,       -- of the list
  add column looked_on date;                         -- the last day on which it was looked at

-- Who was not looked at on the last day of looking had all that was due before it; who got a dated mail on that day, that too.
update follower f set
  told = jsonb_build_object(v.rego, jsonb_build_object('dueOn', f.told_due_on, 'state', case f.told_verdict
    when 'no-match' then 'Does not match the log'
    else upper(left(f.told_verdict, 1)) || replace(substr(f.told_verdict, 2), '-', ' ') end)),
  looked_on = d.looked_on - case when f.look_on <= d.looked_on and not exists (
    select from follower_notice n where n.follower_id = f.id and n.noticed_at >= d.looked_on) then 1 else 0 end
from vehicle v, follower_day d where v.id = f.vehicle_id and f.confirmed_on is not null;

insert into follower (id, email, list, told, version, asked_at, confirmed_on, looked_on, look_on)
  select id, email, list, told, version, asked_at, confirmed_on, looked_on, '-infinity' from watch_list;
alter table follower add check ((vehicle_id is null) <> (list is null));

alter table follower_link drop column purpose;
insert into follower_link (token_hash, follower_id, made_at) select token_hash, list_id, made_at from watch_list_link;

-- Mails that wait, in the words that they would have had.
update mail set kind = 'follow-asked', facts = jsonb_build_object('follower', facts ->> 'list') where kind = 'list-asked';
update mail set facts = jsonb_build_object('follower', facts ->> 'follower',
  'subject', (facts ->> 'rego') || case facts ->> 'why' when 'changed' then ': ' || (facts ->> 'word')
    when 'moved' then ': due date changed' else ': calibration due' end,
  'text', concat_ws(E'\n\n', case facts ->> 'why'
      when 'changed' then format('The verdict on the scale calibration of %s has changed to: %s.',
        facts ->> 'rego', facts ->> 'word')
      when 'moved' then format('The due date of the scale calibration of %s has changed. The verdict is: %s.',
        facts ->> 'rego', facts ->> 'word')
      else format('The scale calibration of %s is due. The verdict is: %s.', facts ->> 'rego', facts ->> 'word') end,
    (facts ->> 'sentence') || case facts ->> 'state' when 'removed' then
      ' If it is restored within 90 days, we will email you. After that we delete your address.' else '' end,
    case when facts ->> 'state' <> 'removed' then nullif(facts ->> 'cause', '') end,
    format('As at %s, rules version %s. See the current verdict:', facts ->> 'asAt', facts ->> 'policy')))
where kind = 'follower-told';
update mail set kind = 'follower-told', facts = jsonb_build_object('follower', facts ->> 'list',
  'subject', 'Your list: ' || concat_ws(', ', nullif(facts ->> 'changedCount', '0') || ' changed',
    nullif(facts ->> 'dueCount', '0') || ' soon due'),
  'text', concat_ws(E'\n\n', format('This is what is new on the list that you follow as at %s.', facts ->> 'asAt'),
    E'What has changed:\n' || nullif(facts ->> 'changed', ''), E'Due within 14 days:\n' || nullif(facts ->> 'in14', ''),
    E'Due within 30 days:\n' || nullif(facts ->> 'in30', '')))
where kind = 'list-told';

drop table watch_list_link, watch_list, follower_notice;
alter table follower drop column told_verdict, drop column told_due_on;
