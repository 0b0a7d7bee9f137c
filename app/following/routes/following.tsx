// /following/{token}: what is followed, from the link in its mails. Confirms it by a button, as link scanners open the
// page too; then a list is changed, checked and exported here. Older mails lead here by other addresses
// (app/routes.ts).
import Download from 'lucide-react/icons/download';
import { data, href } from 'react-router';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { refused, submitReadForm } from '#app/forms/submit-form.server.ts';
import { refuseLines } from '#app/check-list/line-limit.server.ts';
import { sendForFile } from '#app/ui/send-for-file.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AccountPage } from '#app/shell/account-page.tsx';
import { DeadLink } from '#app/shell/dead-link.tsx';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { TextAreaField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { NoteAbove } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { readNames } from '../followed-trucks.server.ts';
import { changeList, confirmFollowing } from '../keep-following.server.ts';
import { findByLink } from '../links.server.ts';
import type { Route } from './+types/following';

export const meta = titled('What you follow', { robots: 'noindex' });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const found = await findByLink(db, params.token, now());
  if (found === undefined) return data({ found: null }, 410);
  const { rego, list, trucks, version, isConfirmed } = found;
  return data({ found: { rego, list, trucks, version, isConfirmed } });
}

const DEAD = refused(410, {
  code: 'link-used',
  sentence: 'This link no longer works: the emails were stopped, or nobody confirmed them in time.',
});

/** Without a list it is the button that confirms. */
type Input = { names: string | undefined; version: number };

export function action(args: Route.ActionArgs) {
  const { request, context, params } = args;
  return submitReadForm<Input, 'list', 'saved'>(args, {
    failure: PUBLIC_FAILURES.follow,
    async read({ fields }) {
      const list = fields.get('list');
      if (list === undefined) return { ok: true, values: {}, input: { names: undefined, version: 0 } };
      const version = Number(fields.get('version')) || 0;
      const read = await readNames(list);
      if (!read.ok) return { ok: false, values: { list }, errors: { list: read.message } };
      return { ok: true, values: { list }, input: { names: read.names, version } };
    },
    async write({ input: { names, version } }) {
      const services = context.get(servicesContext);
      if (names === undefined) return (await confirmFollowing(services, params.token)) ? { shown: true } : DEAD;
      const { address } = visitorOf(request, context);
      const tooMany = await refuseLines(services, address, names.split('\n').length);
      if (tooMany !== undefined) return tooMany;
      const answer = await changeList(services, params.token, { list: names, version });
      switch (answer) {
        case 'saved':
          return { shown: true, more: 'saved' };
        case 'no-such-list':
          return DEAD;
        case 'changed-meanwhile':
          return refused(409, {
            code: 'list-changed',
            sentence: 'The list was changed elsewhere since you opened it. Open the link again to see it.',
          });
      }
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, PUBLIC_FAILURES.follow);

export default function List({ loaderData: { found }, actionData, params }: Route.ComponentProps) {
  if (found === null)
    return (
      <DeadLink
        why="The emails were stopped, or nobody confirmed them within three days. Ask for a new link on a vehicle’s page."
        to="/"
        label="Search for the vehicle"
      />
    );
  const { rego, list, trucks, version, isConfirmed } = found;
  if (!isConfirmed)
    return (
      <AccountPage title={`Follow ${rego ?? `a list of ${trucks}`}`} note={<FormNotes answer={actionData} />}>
        <AnswerForm answer={actionData} className="grid gap-5" noValidate={false}>
          <p>
            {rego === null
              ? 'Press the button to get one email a day when something changes on the list. Each email has a link to change the list, or to stop the emails.'
              : `Press the button to get emails about ${rego}. Each email has a link to stop them.`}
          </p>
          <SubmitButton wide>{`Follow ${rego ?? 'the list'}`}</SubmitButton>
        </AnswerForm>
      </AccountPage>
    );
  if (rego !== null)
    return (
      <AccountPage title={`You are following ${rego}`}>
        <p className="pb-5" role="status">
          We will email you 30 and 14 days before its calibration is due, on the day, and when its verdict changes.
        </p>
        <ButtonLink to={href('/vehicles/view/:rego', { rego })} look="primary">
          {`See the verdict for ${rego}`}
        </ButtonLink>
      </AccountPage>
    );
  return (
    <AccountPage
      title={`You are following ${trucks}`}
      note={
        actionData?.more === 'saved' ? (
          <NoteAbove kind="info">The list is saved.</NoteAbove>
        ) : (
          <FormNotes answer={actionData} />
        )
      }
    >
      <AnswerForm
        answer={actionData}
        encType="multipart/form-data"
        className="grid grid-cols-1 gap-5"
        onSubmit={sendForFile}
      >
        <p role="status">
          We email you once a day when something changes, and 30 and 14 days before a calibration is due.
        </p>
        <input type="hidden" name="version" value={version} />
        <TextAreaField
          key={version}
          name="list"
          label="Regos or VINs"
          hint="One a line, up to 10,000."
          rows={10}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="characters"
          defaultValue={list ?? ''}
        />
        <SubmitButton wide>Save the list</SubmitButton>
        <div className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
          <button type="submit" formAction="/check" formTarget="_blank" className="button-look button-secondary">
            Check it now
          </button>
          <button type="submit" formAction="/check/answer.csv" className="button-look button-secondary">
            <Download size={18} aria-hidden="true" />
            CSV of the answers
          </button>
        </div>
      </AnswerForm>
      <p className="pt-5">
        <TextLink to={href('/following/:token/end', params)}>Stop these emails</TextLink>
      </p>
    </AccountPage>
  );
}
