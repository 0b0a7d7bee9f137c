// /settings: one's own password, second factor, emails and sessions; for admins also the policy and the registry's
// configuration.
import { href, Link } from 'react-router';
import { z } from 'zod';
import { deviceName } from '../device.ts';
import { endSessions } from '../end-session.server.ts';
import { may } from '#app/access/permissions.ts';
import { IfMay } from '#app/access/use-may.tsx';
import { countUnsentMail, listSessions } from '#app/access/queries.server.ts';
import { SessionList } from '../session-list.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { formatInstant } from '#app/platform/time/calendar.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { policyFacts } from '#app/policy/policy-fields.ts';
import { findProposal, policyAndLogSize } from '#app/policy/queries.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { Note } from '#app/ui/note.tsx';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { titled } from '#app/ui/page-title.ts';
import type { Route } from './+types/settings';

export const meta = titled('Settings');

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const who = requireSignedIn(context);
  const readsSettings = may(who.role, 'read settings');
  const at = (instant: Date) => formatInstant(instant, config.timeZone);
  const { since, policy } = await policyAndLogSize(db);
  const sessions = await listSessions(db, who.personId);
  return {
    since,
    personId: who.personId,
    policy: readsSettings
      ? {
          version: policy.version,
          facts: policyFacts(policy),
          isChangeProposed: (await findProposal(db)) !== undefined,
        }
      : null,
    hasSecondFactor: who.hasSecondFactor,
    sessions: sessions.map(({ id, userAgent, ipAddress, lastSeenAt, createdAt }) => ({
      id,
      device: deviceName(userAgent),
      place: ipAddress === '' ? 'unknown' : ipAddress,
      seen: at(lastSeenAt),
      began: at(createdAt),
      isThis: id === who.sessionId,
    })),
    registry: readsSettings ? await registryFacts(context) : null,
  };
}

async function registryFacts(context: Route.LoaderArgs['context']) {
  const { db, config } = context.get(servicesContext);
  const unsent = await countUnsentMail(db);
  return [
    { label: 'Name', value: config.registryName },
    { label: 'Time zone', value: config.timeZone },
    { label: 'Public address', value: config.publicUrl?.origin ?? 'not set (PUBLIC_URL)' },
    { label: 'Mail', value: config.smtpUrl === undefined ? 'saved in the outbox folder, not sent' : 'sent by SMTP' },
    {
      label: 'Mail not sent',
      value: unsent.count === 0 ? 'none' : `${unsent.count}. Last error: ${unsent.lastError}`,
    },
    { label: 'Second factor', value: config.requireAdmin2fa ? 'required for admins' : 'optional' },
    { label: 'Limits', value: config.rateLimits ? 'on' : 'off (RATE_LIMITS)' },
  ];
}

const schema = z.object({ intent: z.string().default(''), session: z.string().default('') });

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.settings,
    nothing: 'Nothing was changed.',
    schema,
    async write({ input: { intent, session } }) {
      const which = intent === 'end-others' ? 'others' : { id: session };
      await endSessions(args.context.get(servicesContext), requireSignedIn(args.context), which);
      return { goTo: { flash: 'sessions-ended', to: '/settings' } };
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.settings);

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { hasSecondFactor, sessions, registry, policy } = loaderData;
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid max-w-190 gap-5">
      <Subscription topics={['policy', `person:${loaderData.personId}`]} since={loaderData.since} />
      <h1 className="text-xl">Settings</h1>
      <Card title="Password" id="password">
        <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
          <p>Changing it signs you out on all your other devices.</p>
          <ButtonLink to={href('/new-password')}>Change password</ButtonLink>
        </div>
      </Card>
      <Card title="Second factor" id="second-factor">
        <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
          <p>
            {hasSecondFactor
              ? 'On: you sign in with your password and a code from your authenticator app.'
              : 'Off: you sign in with your password only.'}
          </p>
          <ButtonLink to={href('/settings/second-factor')}>{hasSecondFactor ? 'Change' : 'Set up'}</ButtonLink>
        </div>
      </Card>
      <IfMay to="record visits">
        <Card title="What to be told" id="tell" aside={<ButtonLink to={href('/settings/tell')}>Choose</ButtonLink>}>
          <p className="px-5 py-4">What you are told by email, and how soon.</p>
        </Card>
      </IfMay>
      <Card title="Sessions" id="sessions">
        <div className="px-5 pt-4 empty:hidden">
          <FormNotes answer={answer} />
        </div>
        <SessionList sessions={sessions} />
      </Card>
      {policy === null ? null : (
        <Card
          title="Rules"
          id="policy"
          aside={
            <IfMay to="change policy">
              <ButtonLink to={href('/settings/policy')}>Change</ButtonLink>
            </IfMay>
          }
        >
          {policy.isChangeProposed ? (
            <div className="px-5 pt-4">
              <Note kind="info">
                A change that makes the rules less strict is proposed.{' '}
                <Link to={href('/settings/policy/proposal')}>Look at the proposal</Link>
              </Note>
            </div>
          ) : null}
          <FactList facts={[{ label: 'Rules version', value: String(policy.version) }, ...policy.facts]} />
          <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
            Every page uses these rules for its verdicts and for agreement.{' '}
            <a href="/about#policy">All versions (public page)</a>
          </p>
        </Card>
      )}
      {registry === null ? null : (
        <Card title="The registry" id="registry" aside={<ButtonLink to={href('/settings/jobs')}>Jobs</ButtonLink>}>
          <FactList facts={registry} />
        </Card>
      )}
    </main>
  );
}
