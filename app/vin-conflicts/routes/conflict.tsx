// /vehicles/vins/{vin}: two records with one VIN side by side, and three ways out.
import { useState } from 'react';
import { href, Link, redirect } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { wasRefused } from '#app/platform/http/form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { Plate } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import { conflictPage } from '../conflict-page.server.ts';
import { conflictAction } from '../join-action.server.ts';
import type { Route } from './+types/conflict';

export const meta = titled('Two records with one VIN');

export async function loader({ params: { vin }, context }: Route.LoaderArgs) {
  const page = await conflictPage(context.get(servicesContext), vin);
  if (page === undefined && !context.get(wasRefused)) throw redirect(href('/vehicles/vins'));
  return page ?? null;
}

export const action = (args: Route.ActionArgs) => conflictAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.join);

export default function VinConflict({ loaderData, actionData }: Route.ComponentProps) {
  // What was opened stays while the page is open: sent again after a lost answer, it is the same write.
  const [opened] = useState(loaderData);
  const answer = useLatestAnswer(actionData);
  return (
    <main id="main" className="grid max-w-240 gap-5">
      <h1 className="text-xl">Two records with one VIN</h1>
      <FormNotes answer={answer} />
      {opened === null ? null : (
        <>
          <p>
            <span className="font-mono">{opened.vin}</span>
            {opened.isFull
              ? ' is on both, so their visits wait.'
              : ' is on both. It is too short to hold a visit back.'}
          </p>
          <div className="grid gap-5 md:grid-cols-2">
            {opened.records.map(({ id, rego, plate, state, verdict, matchesLog, facts }) => (
              <section key={id} className="card grid content-start gap-3 py-4" aria-label={rego}>
                <div className="mx-auto w-44">
                  <Plate rego={plate} state={state} />
                </div>
                <p className="text-center">
                  <ValidCalibrationBadge verdict={verdict} matchesLog={matchesLog} />
                </p>
                <FactList facts={facts} />
                <p className="flex flex-wrap gap-3 px-5">
                  <Link
                    to={href('/vehicles/view/:rego', { rego })}
                    className="min-h-11 content-center"
                  >{`Open ${rego}`}</Link>
                  <IfMay to="join vehicles">
                    <ButtonLink
                      to={href('/vehicles/update/:rego', { rego })}
                    >{`Correct the VIN of ${rego}`}</ButtonLink>
                  </IfMay>
                </p>
              </section>
            ))}
          </div>
          <IfMay to="join vehicles">
            <AnswerForm
              answer={answer}
              idempotencyKey={opened.idempotencyKey}
              className="card grid gap-5 p-5 max-row:p-4"
            >
              <input type="hidden" name="first" value={opened.records[0].id} />
              <input type="hidden" name="second" value={opened.records[1].id} />
              <Choice
                name="keep"
                legend="If it is one truck: which record keeps its address?"
                hint="The history, files and followers of the other come with it. Its plate leads here. It can be undone for 30 days."
                options={opened.records.map(({ id, rego }) => ({ value: id, label: rego }))}
                columns="two"
              />
              <div className="flex flex-wrap gap-3">
                <SubmitButton name="way" value="join">
                  Join the records
                </SubmitButton>
                <SubmitButton name="way" value="two" look="secondary">
                  They are two trucks
                </SubmitButton>
              </div>
              <NotSavedBar />
            </AnswerForm>
          </IfMay>
        </>
      )}
    </main>
  );
}
