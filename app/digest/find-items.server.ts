// What people are told of: a statement for each topic. A row is an item of one person: its key, which is another one
// only when it is other news; the label that links to its page; its words; since when it is there.
import { sql, type RawBuilder } from 'kysely';
import { PROPOSALS } from '#app/dashboard/to-confirm.server.ts';
import { ANSWER_DAYS } from '#app/patterns/finding.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { liveRego } from '#app/vehicles/queries.server.ts';
import { hasVerdict } from '#app/vehicles/verdict-sql.server.ts';
import type { VerdictPolicy } from '#app/vehicles/verdict.ts';
import { DECISION_REASONS } from '#app/visits/visit.ts';
import { SINCE } from '#app/visit-queue/waits-since.server.ts';
import { ANSWER_DAYS as REPORT_ANSWER_DAYS, NUMBER_SQL, stateWords } from '#app/wrong-records/report.ts';
import { TOPICS, type Pace, type Topic } from './topics.ts';

export type Moment = { now: Date; today: string; policy: VerdictPolicy };

/** The states of a report in which an admin is to act. */
const FOR_OFFICE = ['confirmed', 'opened', 'answered', 'second-look'] as const;
const STATE_WORDS = sql`case s.step ${sql.join(
  FOR_OFFICE.map((step) => sql`when ${step} then ${stateWords(step)}`),
  sql` `,
)} end`;

/** What happened before is told no more. */
const DECIDED_DAYS = 7;
const [FIRST_DAYS, SECOND_DAYS] = [30, 14];

/** Who is told anything. */
export const RECIPIENTS = sql`(
  select person_id, email from admin where deleted_at is null
  union select person_id, email from technician where deleted_at is null)`;

const day = (column: string) => sql.raw(`to_char(${column}, 'FMDD FMMonth YYYY')`);

// To all admins but the person `by`.
const toAdmins = (waiting: RawBuilder<unknown>) => () =>
  sql`
  select ad.person_id, w.key, w.label, w.words, w.path, w.at
  from (select person_id from admin where deleted_at is null) ad
    join (${waiting}) w (key, label, words, path, at, by) on w.by is distinct from ad.person_id`;

const REASONS = sql`case d.reason ${sql.join(
  DECISION_REASONS.map(({ reason, words }) => sql`when ${reason} then ${` The reason: ${words}.`}`),
  sql` `,
)} else '' end`;

const ITEMS: Readonly<Record<Exclude<Topic, 'weekly'>, (moment: Moment) => RawBuilder<unknown>>> = {
  visits: toAdmins(sql`
    select v.id || '@' || extract(epoch from ${SINCE}), ve.rego, coalesce((
        select c ->> 'sentence' from jsonb_array_elements(v.checks) c
        where c ->> 'rule' = 'must' and c ->> 'answer' <> 'passed' order by c ->> 'answer' desc limit 1
      ), 'It waits for a decision.'), '/visits/' || v.id, ${SINCE}, null::uuid
    from visit v cross join ${liveRego('v.vehicle_id')} ve where v.state = 'waits'`),
  // Again in each state in which an admin is to act.
  reports: toAdmins(sql`
    select r.id || '@' || last.id, ${sql.raw(NUMBER_SQL)}, last.words || '. Due on ' || ${day('r.due_on')} || '.',
      '/reports/' || r.id, last.at, null::uuid
    from wrong_report r cross join lateral (select s.id, s.at, ${STATE_WORDS} as words from wrong_report_step s
      where s.report_id = r.id and s.step in (${sql.join(FOR_OFFICE)}) order by s.id desc limit 1) last
    where r.state in (${sql.join(FOR_OFFICE)})`),
  applications: toAdmins(sql`
    select id::text, coalesce(nullif(company_name, ''), email), email || ' asks to be listed as a technician.',
      '/applications/view/' || email, requested_at, null::uuid
    from application where decision is null`),
  confirmations: toAdmins(sql`select key, label, words, path, at, by from (${PROPOSALS}) p`),
  patterns: toAdmins(sql`
    select id::text, 'Pattern', 'Some records look unusual, found on ' || ${day('found_on')} || '.', '/patterns/' || id,
      found_at, null::uuid
    from pattern_finding where state = 'open'`),
  // A digest that fails is told once for its recipient: else two dead addresses tell each other of each for ever.
  mails: toAdmins(sql`
    select distinct on (1) case when kind = 'digest' then md5(recipient) else id::text end, recipient,
      'A mail was not sent: ' || last_error, '/settings', given_up_at, null::uuid
    from mail where given_up_at is not null`),
  jobs: toAdmins(sql`
    select name, upper(left(name, 1)) || substr(name, 2), error, '/settings/jobs', ran_at, null::uuid
    from job where error is not null`),
  decided: ({ now }) => sql`
    select a.person_id, d.id::text as key, ve.rego as label, 'Your visit of ' || ${day('v.visited_on')}
      || case d.decision when 'accepted' then ' was accepted: it counts.' else ' was set aside: it does not count.' end
      || ${REASONS} as words, '/vehicles/view/' || ve.rego as path, d.decided_at as at
    from visit_decision d join visit v on v.id = d.visit_id cross join ${liveRego('v.vehicle_id')} ve
      join actor a on a.id = v.technician_id join actor b on b.id = d.decided_by
    where d.decided_at > ${new Date(now.getTime() - DECIDED_DAYS * 86_400_000)} and b.person_id <> a.person_id`,
  answers: () => sql`
    select f.person_id, f.id::text as key, 'Your visits' as label,
      ${`An administrator asks what explains some unusual figures. Please answer within ${ANSWER_DAYS} days.`}::text as words,
      '/my-patterns/' || f.id as path, f.found_at as at
    from pattern_finding f where f.state = 'asked' and f.person_id is not null
      and not exists (select from pattern_step s where s.finding_id = f.id and s.step = 'answered')
    union all
    select r.person_id, s.id::text, ${sql.raw(NUMBER_SQL)},
      ${`Somebody reports that a record of yours is wrong. Please answer within ${REPORT_ANSWER_DAYS} days.`},
      '/my-reports/' || r.id, s.at
    from wrong_report r join wrong_report_step s on s.report_id = r.id and s.step = 'asked'
    where r.state = 'asked' and r.person_id is not null`,
  due: ({ today, policy }) => sql`
    select distinct a.person_id, ${dueKey(today)} as key, vehicle.rego as label,
      'Due on ' || ${day('next_calibration_due_on')} || '.' as words, '/vehicles/view/' || vehicle.rego as path,
      next_calibration_due_on::timestamptz as at
    from (select * from vehicle where deleted_at is null and ${hasVerdict(['valid', 'due-soon'], today, policy)}
        and next_calibration_due_on between ${today}::date and ${addDays(today, FIRST_DAYS)}::date) vehicle
      join calibration c on c.vehicle_id = vehicle.id join actor a on a.id = c.technician_id
      join technician t on t.person_id = a.person_id and t.deleted_at is null`,
};

/** Of a `vehicle`, as SQL: another key for each of the two days on which its due date is told. */
export const dueKey = (today: string): RawBuilder<string> => sql`vehicle.id || '@' || vehicle.next_calibration_due_on
  || case when vehicle.next_calibration_due_on <= ${addDays(today, SECOND_DAYS)}::date then ${sql.lit(`-${SECOND_DAYS}`)}
    else ${sql.lit(`-${FIRST_DAYS}`)} end`;

/** All items of topics that may be told at one of `paces`: (person_id, topic, usual, key, label, words, path, at). */
export const itemsAt = (paces: readonly Pace[], moment: Moment): RawBuilder<unknown> => {
  const told = TOPICS.flatMap(({ topic, usual, paces: own }) =>
    topic === 'weekly' || !own.some((pace) => paces.includes(pace))
      ? []
      : [
          sql`select person_id, ${sql.lit(topic)} as topic, ${sql.lit(usual)} as usual, key, label, words, path, at
            from (${ITEMS[topic](moment)}) i`,
        ],
  );
  return sql`(${sql.join(told, sql` union all `)})`;
};
