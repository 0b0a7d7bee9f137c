import { Form, href, Link } from 'react-router';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import type { MyVisit } from './my-visits-page.server.ts';
import { StateIcon } from './own-visit-note.tsx';

/** One's own visits. An open one can be finished. `finishKey`: the idempotency key of that form. */
export function MyVisitsList({ visits, finishKey }: { visits: readonly MyVisit[]; finishKey: string }) {
  return (
    <ul className="border-t border-line">
      {visits.map(({ id, rego, day, state, word, words, ifFinished }) => (
        <li key={id} className="border-b border-line last:border-b-0">
          <Link
            to={href('/vehicles/view/:rego', { rego })}
            className="quiet-link flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-hover"
          >
            <RegoChip rego={rego} />
            <span className="text-sm text-ink-2">{day}</span>
            <span className="ml-auto inline-flex items-center gap-1.5 text-sm font-semibold">
              <StateIcon state={state} />
              {word}
            </span>
            <span className="w-full wrap-anywhere">{words}</span>
          </Link>
          {ifFinished === null ? null : (
            <Form method="post" className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pb-3">
              <input type="hidden" name="form_key" value={finishKey} />
              <input type="hidden" name="rego" value={rego} />
              <input type="hidden" name="visit" value={id} />
              <p className="min-w-0 grow text-sm text-ink-2">{ifFinished}</p>
              <SubmitButton look="secondary">Finish</SubmitButton>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
